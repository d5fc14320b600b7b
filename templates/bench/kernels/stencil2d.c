/* One sweep of a stencil over a plane; its border stays as it is. */
#include "kernels.h"

static void five_point_f32(int n, int m, float u[n][m], float v[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i][j] = 0.2f * (u[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

ROW(five_point_f32) {
    long n = size[0], m = size[1];
    float *u = floats(n * m), *v = floats(n * m);
    for (int run = 0; run < runs; run++)
        five_point_f32(n, m, (void *)u, (void *)v);
    free(u), free(v);
}

static void nine_point_f32(int n, int m, float u[n][m], float v[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i][j] = 0.25f * u[i][j] +
                      0.125f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) +
                      0.0625f * (u[i - 1][j - 1] + u[i - 1][j + 1] + u[i + 1][j - 1] + u[i + 1][j + 1]);
}

ROW(nine_point_f32) {
    long n = size[0], m = size[1];
    float *u = floats(n * m), *v = floats(n * m);
    for (int run = 0; run < runs; run++)
        nine_point_f32(n, m, (void *)u, (void *)v);
    free(u), free(v);
}

static void five_point_f64(int n, int m, double u[n][m], double v[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i][j] = 0.2 * (u[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

ROW(five_point_f64) {
    long n = size[0], m = size[1];
    double *u = doubles(n * m), *v = doubles(n * m);
    for (int run = 0; run < runs; run++)
        five_point_f64(n, m, (void *)u, (void *)v);
    free(u), free(v);
}

static void nine_point_f64(int n, int m, double u[n][m], double v[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i][j] = 0.25 * u[i][j] +
                      0.125 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) +
                      0.0625 * (u[i - 1][j - 1] + u[i - 1][j + 1] + u[i + 1][j - 1] + u[i + 1][j + 1]);
}

ROW(nine_point_f64) {
    long n = size[0], m = size[1];
    double *u = doubles(n * m), *v = doubles(n * m);
    for (int run = 0; run < runs; run++)
        nine_point_f64(n, m, (void *)u, (void *)v);
    free(u), free(v);
}
