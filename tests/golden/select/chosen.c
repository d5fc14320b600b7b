#include <math.h>

/* Sizes, alignment of vectors, positions of 32 or 64 bits. */
void product(int n, int m, int p, float (*c)[m], float (*a)[p], float (*b)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0;
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

/* One block or many; launches where steps are large. */
void smooth(int steps, int n, float *u, float *v) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5f * (u[i - 1] + u[i + 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
}

/* A library or kernels. */
void sparse(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += val[k] * x[col[k]];
        y[i] = sum;
    }
}
