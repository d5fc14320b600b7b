/* The heat equation on a square by the alternating direction implicit method of Peaceman and Rachford: each half step
 * is implicit in one direction, which is a tridiagonal system for every row, then for every column. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 43
#endif
#ifndef STEPS
#define STEPS 5
#endif

/* The elimination of a tridiagonal matrix with 1 + 2r on its diagonal and -r beside it: the same for all systems. */
static void factor(int n, double r, double c[n]) {
    c[0] = 0.0;
    for (int k = 1; k < n - 1; k++)  // decline: depend on each other through `c`
        c[k] = r / (1.0 + 2.0 * r - r * c[k - 1]);
}

/* From u to v, implicit along the rows. The boundary is zero. */
static void along_rows(int n, double r, double c[n], double u[n][n], double v[n][n]) {
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < n - 1; j++)
            v[i][j] = r * u[i - 1][j] + (1.0 - 2.0 * r) * u[i][j] + r * u[i + 1][j];
        for (int j = 1; j < n - 1; j++)
            v[i][j] = (v[i][j] + r * v[i][j - 1]) * (c[j] / r);
        for (int j = n - 3; j >= 1; j--)
            v[i][j] += c[j] * v[i][j + 1];
    }
}

/* From v to u, implicit along the columns; the loops run over rows, as the memory does. */
static void along_columns(int n, double r, double c[n], double v[n][n], double u[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            u[i][j] = r * v[i][j - 1] + (1.0 - 2.0 * r) * v[i][j] + r * v[i][j + 1];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            u[i][j] = (u[i][j] + r * u[i - 1][j]) * (c[i] / r);
    for (int i = n - 3; i >= 1; i--)
        for (int j = 1; j < n - 1; j++)
            u[i][j] += c[i] * u[i + 1][j];
}

int main(void) {
    double(*u)[N] = calloc(N, sizeof *u), (*v)[N] = calloc(N, sizeof *v), *c = malloc(N * sizeof *c);
    double check = 0.0;
    if (!u || !v || !c)
        return 1;
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            u[i][j] = (i * 13 + j * 7) % 31 / 31.0;
    factor(N, 0.8, c);
    for (int t = 0; t < STEPS; t++) {
        along_rows(N, 0.8, c, u, v);
        along_columns(N, 0.8, c, v, u);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check += u[i][j] * (1 + (i + j) % 7);
    printf("adi %.10e\n", check);
    free(u);
    free(v);
    free(c);
    return 0;
}
