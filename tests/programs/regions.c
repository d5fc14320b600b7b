/* Several loop nests in one function, with work of the host between them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 37
#endif

static double uniform(void) {
    static unsigned seed = 17;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

/* Centres the columns of a, scales them to unit deviation and gives their correlations. */
static double analyse(int n, int m, double a[n][m], double mean[m], double deviation[m], double corr[m][m]) {
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
            mean[j] += a[i][j];
        mean[j] /= n;
    }
    printf("first mean %.8f\n", mean[0]);

    for (int j = 0; j < m; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += (a[i][j] - mean[j]) * (a[i][j] - mean[j]);
        deviation[j] = sqrt(sum / n);
    }
    if (deviation[0] == 0.0) {
        fprintf(stderr, "the first column is constant\n");
        exit(1);
    }

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = (a[i][j] - mean[j]) / deviation[j];
    printf("first scaled value %.8f\n", a[0][0]);

    double strongest = 0.0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[k][i] * a[k][j];
            corr[i][j] = sum / n;
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            if (i != j)
                strongest = fmax(strongest, fabs(corr[i][j]));
    return strongest;
}

int main(void) {
    double(*a)[M] = malloc(sizeof(double[N][M]));
    double(*corr)[M] = malloc(sizeof(double[M][M]));
    double mean[M], deviation[M];
    double check = 0.0;
    if (!a || !corr)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = uniform();
    double strongest = analyse(N, M, a, mean, deviation, corr);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            check += corr[i][j] * (1 + (i + 2 * j) % 7);
    printf("regions %.8e, strongest correlation %.8f\n", check, strongest);
    free(a);
    free(corr);
    return 0;
}
