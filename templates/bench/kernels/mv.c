/* Products of a matrix, or of its transpose, and a vector. */
#include "kernels.h"

static void mv_f32(int n, int m, float a[n][m], const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
}

ROW(mv_f32) {
    long n = size[0], m = size[1];
    float *a = floats(n * m), *x = floats(m), *y = floats(n);
    for (int run = 0; run < runs; run++)
        mv_f32(n, m, (void *)a, x, y);
    free(a), free(x), free(y);
}

static void tmv_f32(int n, int m, float a[n][m], const float *x, float *y) {
    for (int j = 0; j < m; j++) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i][j] * x[i];
        y[j] = sum;
    }
}

ROW(tmv_f32) {
    long n = size[0], m = size[1];
    float *a = floats(n * m), *x = floats(n), *y = floats(m);
    for (int run = 0; run < runs; run++)
        tmv_f32(n, m, (void *)a, x, y);
    free(a), free(x), free(y);
}

static void mv_f64(int n, int m, double a[n][m], const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
}

ROW(mv_f64) {
    long n = size[0], m = size[1];
    double *a = doubles(n * m), *x = doubles(m), *y = doubles(n);
    for (int run = 0; run < runs; run++)
        mv_f64(n, m, (void *)a, x, y);
    free(a), free(x), free(y);
}

static void tmv_f64(int n, int m, double a[n][m], const double *x, double *y) {
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i][j] * x[i];
        y[j] = sum;
    }
}

ROW(tmv_f64) {
    long n = size[0], m = size[1];
    double *a = doubles(n * m), *x = doubles(n), *y = doubles(m);
    for (int run = 0; run < runs; run++)
        tmv_f64(n, m, (void *)a, x, y);
    free(a), free(x), free(y);
}
