/* Products of square matrices. */
#include "kernels.h"

static void mm_f32(int n, float a[n][n], float b[n][n], float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

ROW(mm_f32) {
    long n = size[0];
    float *a = floats(n * n), *b = floats(n * n), *c = floats(n * n);
    for (int run = 0; run < runs; run++)
        mm_f32(n, (void *)a, (void *)b, (void *)c);
    free(a), free(b), free(c);
}

static void mm_f64(int n, double a[n][n], double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

ROW(mm_f64) {
    long n = size[0];
    double *a = doubles(n * n), *b = doubles(n * n), *c = doubles(n * n);
    for (int run = 0; run < runs; run++)
        mm_f64(n, (void *)a, (void *)b, (void *)c);
    free(a), free(b), free(c);
}
