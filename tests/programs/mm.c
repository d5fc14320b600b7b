/* Product of two matrices, c = a b, with sizes passed as parameters. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef M
#define M 61
#endif
#ifndef P
#define P 45
#endif

static double uniform(void) {
    static unsigned seed = 2;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static void fill(int n, int m, double x[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i][j] = uniform();
}

static void mm(int n, int m, int p, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0.0;
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

int main(void) {
    double(*a)[P] = malloc(sizeof(double[N][P]));
    double(*b)[M] = malloc(sizeof(double[P][M]));
    double(*c)[M] = malloc(sizeof(double[N][M]));
    double sum = 0.0;
    if (!a || !b || !c)
        return 1;
    fill(N, P, a);
    fill(P, M, b);
    mm(N, M, P, a, b, c);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum += c[i][j] * (1 + (i + j) % 7);
    printf("mm %.10e\n", sum);
    free(a);
    free(b);
    free(c);
    return 0;
}
