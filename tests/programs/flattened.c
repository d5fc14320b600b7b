/* Arrays of rows that functions take for one row: old declarations say nothing of parameters, casts and places of the first element
   do the same. */
#include <stdio.h>

#ifndef N
#define N 50
#endif
#define PARTS 3

static double con[N][N], lap[N][N], eta[N][N][PARTS];

static double energy(int i, int j, int n, double *con, double *eta) {
    int ij = i * N + j;
    double e, sum = 0;
    for (int part = 0; part < PARTS; part++) { // decline: is done before a call of a region has begun
        e = eta[ij * PARTS + part];
        sum += e * e;
    }
    return con[ij] * (1 - con[ij]) - sum / n;
}

static void clamp(double *x, int at) {
    if (x[at] > 0.75)
        x[at] = 0.75;
}

static void clear(double *x, int n) {
    for (int k = 0; k < n; k++)
        x[k] = 0;
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            con[i][j] = (i * 7 + j * 3) % 11 * 0.1;
            for (int part = 0; part < PARTS; part++)
                eta[i][j][part] = (i + j + part) % 5 * 0.2;
        }
    for (int t = 0; t < 5; t++) {
        clear(&lap[0][0], N * N);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                lap[i][j] = con[i - 1][j] + con[i + 1][j] + con[i][j - 1] + con[i][j + 1] - 4 * con[i][j];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double e;
                e = energy(i, j, N, (double *)con, (double *)eta);
                con[i][j] += 0.1 * lap[i][j] - 0.01 * e;
                clamp(&con[0][0], N * i + j);
            }
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += con[i][j] * (i - j);
    printf("%.6f %.6f\n", sum, con[N / 2][3]);
    return 0;
}
