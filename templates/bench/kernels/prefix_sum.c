/* Sums of all elements up to each. */
#include "kernels.h"

static void prefix_sum_f32(long n, const float *x, float *y) {
    float sum = 0;
    for (long i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
}

ROW(prefix_sum_f32) {
    long n = size[0];
    float *x = floats(n), *y = floats(n);
    for (int run = 0; run < runs; run++)
        prefix_sum_f32(n, x, y);
    free(x), free(y);
}

static void prefix_sum_f64(long n, const double *x, double *y) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
}

ROW(prefix_sum_f64) {
    long n = size[0];
    double *x = doubles(n), *y = doubles(n);
    for (int run = 0; run < runs; run++)
        prefix_sum_f64(n, x, y);
    free(x), free(y);
}
