/* The wave equation in two dimensions with three time levels in one array, a source, and absorbing edges. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 53
#endif
#ifndef STEPS
#define STEPS 12
#endif

static float u[3][N][N], damping[N];

static void init(void) {
    for (int i = 0; i < N; i++) {
        int edge = i < N - 1 - i ? i : N - 1 - i;
        damping[i] = edge < 8 ? 0.9f + 0.0125f * edge : 1.0f;
    }
}

static void propagate(float c2) {
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[2][i][j] = 2.0f * u[1][i][j] - u[0][i][j]
                             + c2 * (u[1][i - 1][j] + u[1][i + 1][j] + u[1][i][j - 1] + u[1][i][j + 1] - 4.0f * u[1][i][j]);
        u[2][N / 2][N / 3] += sinf(0.5f * t);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                u[0][i][j] = u[1][i][j] * damping[i] * damping[j];
                u[1][i][j] = u[2][i][j] * damping[i] * damping[j];
            }
    }
}

int main(void) {
    double check = 0.0;
    init();
    propagate(0.2f);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check += u[1][i][j] * (1 + (i + j) % 7);
    printf("waves %.5e\n", check);
    return 0;
}
