/* A sparse matrix in compressed columns: its product with a vector scatters, the product of its transpose gathers. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 143
#endif
#ifndef M
#define M 119
#endif
#define MOST 5

/* Columns of up to MOST entries in scattered rows. Returns the number of entries. */
static int build(int n, int m, int *start, int *row, float *value) {
    int count = 0;
    for (int j = 0; j < m; j++) {
        start[j] = count;
        for (int k = 0; k < j * 3 % (MOST + 1); k++) {
            row[count] = (j * 17 + k * 31) % n;
            value[count] = (1 + (j + k) % 7) * 0.125f;
            count++;
        }
    }
    start[m] = count;
    return count;
}

static void multiply(int n, int m, const int *start, const int *row, const float *value, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        y[i] = 0.0f;
    for (int j = 0; j < m; j++)
        for (int k = start[j]; k < start[j + 1]; k++)
            y[row[k]] += value[k] * x[j];
}

static void multiply_transpose(int m, const int *start, const int *row, const float *value, const float *y, float *x) {
    for (int j = 0; j < m; j++) {
        x[j] = 0.0f;
        for (int k = start[j]; k < start[j + 1]; k++)
            x[j] += value[k] * y[row[k]];
    }
}

int main(void) {
    int *start = malloc((M + 1) * sizeof *start), *row = malloc(MOST * M * sizeof *row);
    float *value = malloc(MOST * M * sizeof *value), *x = malloc(M * sizeof *x), *y = malloc(N * sizeof *y);
    double check = 0.0;
    if (!start || !row || !value || !x || !y)
        return 1;
    for (int j = 0; j < M; j++)
        x[j] = (j * 29 % 61) / 64.0f;
    int count = build(N, M, start, row, value);
    multiply(N, M, start, row, value, x, y);
    multiply_transpose(M, start, row, value, y, x);
    for (int i = 0; i < N; i++)
        check += y[i] * (1 + i % 7);
    for (int j = 0; j < M; j++)
        check += x[j] * (1 + j % 5);
    printf("csc_mv %d entries, %.5e\n", count, check);
    free(start);
    free(row);
    free(value);
    free(x);
    free(y);
    return 0;
}
