/* Diffusion in a box: a 7-point stencil over time steps; each step goes from u to v and back. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 21
#endif
#ifndef STEPS
#define STEPS 6
#endif

static double uniform(void) {
    static unsigned seed = 11;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static void stencil7(int n, int steps, double c, double u[n][n][n], double v[n][n][n]) {
    for (int t = 1; t <= steps; t += 2) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    v[i][j][k] = u[i][j][k]
                                 + c * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k]
                                        + u[i][j][k - 1] + u[i][j][k + 1] - 6.0 * u[i][j][k]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    u[i][j][k] = v[i][j][k]
                                 + c * (v[i - 1][j][k] + v[i + 1][j][k] + v[i][j - 1][k] + v[i][j + 1][k]
                                        + v[i][j][k - 1] + v[i][j][k + 1] - 6.0 * v[i][j][k]);
    }
}

int main(void) {
    double(*u)[N][N] = malloc(sizeof(double[N][N][N]));
    double(*v)[N][N] = malloc(sizeof(double[N][N][N]));
    double check = 0.0;
    if (!u || !v)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                u[i][j][k] = v[i][j][k] = uniform();
    stencil7(N, STEPS, 0.1, u, v);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                check += u[i][j][k] * (1 + (i + j + k) % 7);
    printf("stencil7 %.10e\n", check);
    free(u);
    free(v);
    return 0;
}
