/* Sums over a vector. */
#include "kernels.h"

static float sum(long n, const float *x) {
    float total = 0;
    for (long i = 0; i < n; i++)
        total += x[i];
    return total;
}

ROW(sum) {
    long n = size[0];
    float *x = floats(n), total = 0;
    for (int run = 0; run < runs; run++)
        total += sum(n, x);
    printf("%g\n", total);
    free(x);
}

/* Distances of all elements from each of six levels. */
static void sums_of_6(long n, const float *x, const float *level, float *total) {
    for (int t = 0; t < 6; t++) {
        total[t] = 0;
        for (long i = 0; i < n; i++)
            total[t] += (x[i] - level[t]) * (x[i] - level[t]);
    }
}

ROW(sums_of_6) {
    long n = size[0];
    float *x = floats(n), *level = floats(6), *total = floats(6);
    for (int run = 0; run < runs; run++)
        sums_of_6(n, x, level, total);
    free(x), free(level), free(total);
}

/* The sum of complex numbers, real and imaginary parts in turns. */
static void complex_sum(long n, const float *x, float *total) {
    float re = 0, im = 0;
    for (long i = 0; i < n; i++) {
        re += x[2 * i];
        im += x[2 * i + 1];
    }
    total[0] = re;
    total[1] = im;
}

ROW(complex_sum) {
    long n = size[0] / 2;
    float *x = floats(2 * n), total[2] = {0};
    for (int run = 0; run < runs; run++)
        complex_sum(n, x, total);
    printf("%g %g\n", total[0], total[1]);
    free(x);
}
