#include <stdlib.h>

/* Two arrays in one block each, one of them written. */
void scale(int n, double f, const double *x, double *y) {
    for (int i = 0; i < n; i++)
        y[i] = f * x[i];
}

/* Only the data say how far `x` is read. */
void gather(int n, const int *at, const double *x, double *y) {
    for (int i = 0; i < n; i++)
        y[i] = x[at[i]];
}

/* Rows behind pointers. */
void relax(int n, int m, double **u, double **v) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

/* Nothing is given to weigh it by, and what it reads is before the pointer for small `k`. */
void shifted(const int *n, int k, const float *x, float *y) {
    for (int i = 0; i < *n; i++)
        y[i] = x[i + k];
}
