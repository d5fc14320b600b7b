/* Sums of matrices, and other maps of elements. */
#include "kernels.h"

static void madd(int n, int m, float a[n][m], float b[n][m], float c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = a[i][j] + b[i][j];
}

ROW(madd) {
    long n = size[0], m = size[1];
    float *a = floats(n * m), *b = floats(n * m), *c = floats(n * m);
    for (int run = 0; run < runs; run++)
        madd(n, m, (void *)a, (void *)b, (void *)c);
    free(a), free(b), free(c);
}

/* Products of complex numbers, real and imaginary parts in turns. */
static void complex_product(long n, const float *a, const float *b, float *c) {
    for (long i = 0; i < n; i++) {
        c[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        c[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    }
}

ROW(complex_product) {
    long n = size[0] / 2;
    float *a = floats(2 * n), *b = floats(2 * n), *c = floats(2 * n);
    for (int run = 0; run < runs; run++)
        complex_product(n, a, b, c);
    free(a), free(b), free(c);
}

/* The product of a column and a row. */
static void outer_product(int n, int m, const float *x, const float *y, float c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = x[i] * y[j];
}

ROW(outer_product) {
    long n = size[0], m = size[1];
    float *x = floats(n), *y = floats(m), *c = floats(n * m);
    for (int run = 0; run < runs; run++)
        outer_product(n, m, x, y, (void *)c);
    free(x), free(y), free(c);
}
