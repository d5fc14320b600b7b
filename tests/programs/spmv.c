/* Sparse matrix by vector in compressed rows: bounds and subscripts come from data. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 201
#endif

/* Rows of 1 to 7 entries at scattered columns. Returns the number of entries. */
static int build(int n, int *start, int *column, double *value) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        start[i] = count;
        for (int k = 0; k <= i * 5 % 7; k++) {
            column[count] = (i * 11 + k * 29) % n;
            value[count] = 1.0 / (1 + i % 5 + k);
            count++;
        }
    }
    start[n] = count;
    return count;
}

static void spmv(int n, const int *start, const int *column, const double *value, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

int main(void) {
    int *start = malloc((N + 1) * sizeof *start), *column = malloc(7 * N * sizeof *column);
    double *value = malloc(7 * N * sizeof *value), *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    double check = 0.0;
    if (!start || !column || !value || !x || !y)
        return 1;
    for (int i = 0; i < N; i++)
        x[i] = (i * 37 % 101) / 101.0;
    int count = build(N, start, column, value);
    spmv(N, start, column, value, x, y);
    for (int i = 0; i < N; i++)
        check += y[i] * (1 + i % 7);
    printf("spmv %d entries, %.10e\n", count, check);
    free(start);
    free(column);
    free(value);
    free(x);
    free(y);
    return 0;
}
