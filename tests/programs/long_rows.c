/* Products with sparse matrices whose rows are many times as long as others: one vector and several, rows counted from 1,
 * rows that end where a block's entries do, a number that is none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 300
#endif
#define M 257
#define W 3

static void added(int n, const int *start, const int *column, const double *value, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] += 2.0 * sum;
    }
}

static void several(int n, const int *start, const int *column, const double *value, double x[M][W], double y[][W]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]][j];
            y[i][j] = sum;
        }
}

static void from_one(int n, const long *start, const int *column, const float *value, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (long k = start[i] - 1; k < start[i + 1] - 1; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

static int length(int kind, int i) {
    switch (kind) {
    case 0:
        return i == 17 ? 5000 : i == 18 ? 1200 : i == N - 50 ? 40 : i % 3;
    case 1:
        return i < 4 ? 512 : 0;
    case 2:
        return i == N - 1 ? 2048 : i == 0 ? 1 : i == 1 ? 511 : 0;
    case 3:
        return i % 7 == 0 ? 600 + i : 0;
    default:
        return 0;
    }
}

int main(void) {
    const int most = N * 150 + 7000;
    int *start = malloc((N + 1) * sizeof *start), *column = malloc(most * sizeof *column);
    long *start1 = malloc((N + 1) * sizeof *start1);
    double *value = malloc(most * sizeof *value), *y = malloc(N * sizeof *y);
    float *single = malloc(most * sizeof *single), *v = malloc(N * sizeof *v), u[M];
    static double x[M], xs[M][W], ys[N][W];
    if (!start || !column || !start1 || !value || !y || !single || !v)
        return 1;
    for (int kind = 0; kind < 5; kind++) {
        int count = 0;
        for (int i = 0; i < N; i++) {
            start[i] = count, start1[i] = count + 1;
            for (int k = 0; k < length(kind, i) && count < most; k++, count++) {
                column[count] = (i * 7 + k * 13) % M;
                single[count] = value[count] = ((i + k) % 11 - 5) * 0.25;
            }
            y[i] = i, v[i] = -1.0f;
        }
        start[N] = count, start1[N] = count + 1;
        if (kind == 3)
            memset(value, 0xff, sizeof *value);
        for (int i = 0; i < M; i++) {
            u[i] = x[i] = i % 23 * 0.5 - 3.0;
            for (int j = 0; j < W; j++)
                xs[i][j] = (i + j) % 19 * 0.5 - 4.0;
        }
        added(N, start, column, value, x, y);
        added(N, start, column, value, x, y);
        several(N, start, column, value, xs, ys);
        from_one(N, start1, column, single, u, v);
        double check = 0.0;
        for (int i = 1; i < N; i++)
            check += y[i] + ys[i][0] + ys[i][1] + ys[i][2] + v[i];
        printf("%.6g\n", check);
    }
    free(start), free(column), free(start1), free(value), free(y), free(single), free(v);
    return 0;
}
