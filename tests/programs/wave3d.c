/* The wave equation in a box. Three time levels take turns: the level of a step is its number modulo three. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 19
#endif
#ifndef STEPS
#define STEPS 9
#endif

static void wave(int n, int steps, float c2, float u[3][n][n][n]) {
    for (int t = 1; t <= steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    u[(t + 1) % 3][i][j][k] =
                        2.0f * u[t % 3][i][j][k] - u[(t - 1) % 3][i][j][k]
                        + c2
                              * (u[t % 3][i - 1][j][k] + u[t % 3][i + 1][j][k] + u[t % 3][i][j - 1][k]
                                 + u[t % 3][i][j + 1][k] + u[t % 3][i][j][k - 1] + u[t % 3][i][j][k + 1]
                                 - 6.0f * u[t % 3][i][j][k]);
}

int main(void) {
    float(*u)[N][N][N] = calloc(3, sizeof *u);
    double check = 0.0;
    if (!u)
        return 1;
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            for (int k = 1; k < N - 1; k++) {
                float x = i - 0.5f * N, y = j - 0.4f * N, z = k - 0.6f * N;
                u[0][i][j][k] = u[1][i][j][k] = expf(-0.1f * (x * x + y * y + z * z));
            }
    wave(N, STEPS, 0.25f, u);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                check += u[(STEPS + 1) % 3][i][j][k] * (1 + (i + j + k) % 7);
    printf("wave3d %.5e\n", check);
    free(u);
    return 0;
}
