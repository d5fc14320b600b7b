/* Product of a transposed matrix and a vector, y = A^T x, walking A by rows as it lies in memory. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 100
#endif

static double uniform(void) {
    static unsigned seed = 4;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static void tmv(int n, double (*a)[M], const double *x, double *y) {
    int i, j;
    for (j = 0; j < M; j++)
        y[j] = 0.0;
    for (i = 0; i < n; i++)
        for (j = 0; j < M; j++)
            y[j] += a[i][j] * x[i];
}

int main(void) {
    double(*a)[M] = malloc(N * sizeof *a);
    double *x = malloc(N * sizeof *x);
    double *y = malloc(M * sizeof *y);
    double check = 0.0;
    if (!a || !x || !y)
        return 1;
    for (int i = 0; i < N; i++) {
        x[i] = uniform();
        for (int j = 0; j < M; j++)
            a[i][j] = uniform();
    }
    tmv(N, a, x, y);
    for (int j = 0; j < M; j++)
        check += y[j] * (1 + j % 7);
    printf("tmv %.10e\n", check);
    free(a);
    free(x);
    free(y);
    return 0;
}
