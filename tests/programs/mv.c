/* Product of a matrix and a vector, y = A x. The row sum is held in a scalar. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 100
#endif
#ifndef M
#define M 61
#endif

static double uniform(void) {
    static unsigned seed = 3;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static void mv(int n, int m, const double a[n][m], const double x[m], double y[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < m; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
}

int main(void) {
    double(*a)[M] = malloc(sizeof(double[N][M]));
    double *x = malloc(M * sizeof *x);
    double *y = malloc(N * sizeof *y);
    double check = 0.0;
    if (!a || !x || !y)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = uniform();
    for (int j = 0; j < M; j++)
        x[j] = uniform();
    mv(N, M, (const double(*)[M])a, x, y);
    for (int i = 0; i < N; i++)
        check += y[i] * (1 + i % 7);
    printf("mv %.10e\n", check);
    free(a);
    free(x);
    free(y);
    return 0;
}
