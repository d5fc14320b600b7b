/* Transpose of a matrix into another. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 45
#endif

static double uniform(void) {
    static unsigned seed = 8;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static void transpose(int n, int m, double a[restrict n][m], double b[restrict m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][j];
}

int main(void) {
    double(*a)[M] = malloc(sizeof(double[N][M]));
    double(*b)[N] = malloc(sizeof(double[M][N]));
    double check = 0.0;
    if (!a || !b)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = uniform();
    transpose(N, M, a, b);
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++)
            check += b[j][i] * (1 + (3 * j + i) % 7);
    printf("transpose %.10e\n", check);
    free(a);
    free(b);
    return 0;
}
