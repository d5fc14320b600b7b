/* A sparse matrix by a vector in plain loops, some times. */
#include "matrix.h"

/* y = A x, x = A y, in turns: each product waits for the one before. */
static void multiply(int runs, int n, const int *start, const int *column, const double *value, double *x, double *y) {
    for (int run = 0; run < runs; run++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * y[column[k]];
            x[i] = sum;
        }
    }
}

int main(void) {
    struct matrix a = bench_matrix();
    double *x = bench_memory(a.n, sizeof *x), *y = bench_memory(a.n, sizeof *y);
    for (int i = 0; i < a.n; i++)
        x[i] = 1.0 / (1 + i % 100);
    multiply(10, a.n, a.start, a.column, a.value, x, y);
    free(a.start), free(a.column), free(a.value), free(x), free(y);
    return 0;
}
