/* A program annotated for OpenMP; without -fopenmp the compiler ignores the directives. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 77
#endif

static double uniform(void) {
    static unsigned seed = 22;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static double relax(int n, int m, double u[n][m], double f[n][m], double out[n][m]) {
    double norm = 0.0;
    int i, j;
    double r;
#pragma omp parallel for private(j, r) reduction(+ : norm)
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++) {
            r = f[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4.0 * u[i][j];
            out[i][j] = u[i][j] + 0.25 * r;
            norm += r * r;
        }
    return sqrt(norm);
}

/* The order is a permutation, so no two iterations write the same row: the programmer knows, the compiler cannot. */
static void permute_rows(int n, int m, const int order[n], double in[n][m], double out[n][m]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[order[i]][j] = in[i][j];
}

int main(void) {
    double(*u)[M] = malloc(sizeof(double[N][M]));
    double(*f)[M] = malloc(sizeof(double[N][M]));
    double(*out)[M] = calloc(N, sizeof(double[M]));
    int order[N];
    double norm, check = 0.0;
    if (!u || !f || !out)
        return 1;
    for (int i = 0; i < N; i++) {
        order[i] = N - 1 - i;
        for (int j = 0; j < M; j++) {
            u[i][j] = uniform();
            f[i][j] = uniform() - 0.5;
        }
    }
    norm = relax(N, M, u, f, out);
    permute_rows(N, M, order, out, u);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check += u[i][j] * (1 + (i + j) % 7);
    printf("openmp %.10e %.10e\n", norm, check);
    free(u);
    free(f);
    free(out);
    return 0;
}
