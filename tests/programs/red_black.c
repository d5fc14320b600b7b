/* Gauss and Seidel on a chessboard: the red points depend on black ones only, and the black points on red ones. The
 * columns of one colour start at 1 or 2, as the row is odd or even. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 39
#endif
#ifndef M
#define M 29
#endif
#ifndef SWEEPS
#define SWEEPS 6
#endif

/* The start of the inner loop says which colour it is. */
static void sweep_by_start(int n, int m, float *u, const float *f) {
    for (int colour = 0; colour < 2; colour++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2)
                u[i * m + j] = 0.25f
                               * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]
                                  - f[i * m + j]);
}

/* A condition on every point says which colour it is. */
static void sweep_by_condition(int n, int m, float *u, const float *f) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            if ((i + j) % 2 == 0)
                u[i * m + j] = 0.25f
                               * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]
                                  - f[i * m + j]);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            if ((i + j) % 2 == 1)
                u[i * m + j] = 0.25f
                               * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]
                                  - f[i * m + j]);
}

/* Rows in pairs, so that each loop has one colour and a constant start. */
static void sweep_by_pairs(int n, int m, float *u, const float *f) {
    for (int colour = 0; colour < 2; colour++)
        for (int i = 1; i + 1 < n - 1; i += 2) {
            for (int j = 1 + colour; j < m - 1; j += 2)
                u[i * m + j] = 0.25f
                               * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]
                                  - f[i * m + j]);
            for (int j = 2 - colour; j < m - 1; j += 2)
                u[(i + 1) * m + j] = 0.25f
                                     * (u[i * m + j] + u[(i + 2) * m + j] + u[(i + 1) * m + j - 1]
                                        + u[(i + 1) * m + j + 1] - f[(i + 1) * m + j]);
        }
}

int main(void) {
    float *u = calloc((size_t)N * M, sizeof *u), *f = malloc((size_t)N * M * sizeof *f);
    double check = 0.0;
    if (!u || !f)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            f[i * M + j] = (i * 7 + j * 11) % 17 / 17.0f - 0.5f;
            if (i == 0 || i == N - 1 || j == 0 || j == M - 1)
                u[i * M + j] = (i + 2 * j) % 5 / 5.0f;
        }
    for (int t = 0; t < SWEEPS; t++) {
        sweep_by_start(N, M, u, f);
        sweep_by_condition(N, M, u, f);
        sweep_by_pairs(N, M, u, f);
    }
    for (int i = 0; i < N * M; i++)
        check += u[i] * (1 + i % 7);
    printf("red_black %.5e\n", check);
    free(u);
    free(f);
    return 0;
}
