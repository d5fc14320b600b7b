/* One sweep of a stencil over a cube; its faces stay as they are. */
#include "kernels.h"

static void seven_point_f32(int n, float u[n][n][n], float v[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                v[i][j][k] = 0.4f * u[i][j][k] + 0.1f * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] +
                                                       u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1]);
}

ROW(seven_point_f32) {
    long n = size[0];
    float *u = floats(n * n * n), *v = floats(n * n * n);
    for (int run = 0; run < runs; run++)
        seven_point_f32(n, (void *)u, (void *)v);
    free(u), free(v);
}

static void twenty_seven_point_f32(int n, float u[n][n][n], float weight[3][3][3], float v[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                float sum = 0;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        for (int r = 0; r < 3; r++)
                            sum += weight[p][q][r] * u[i + p - 1][j + q - 1][k + r - 1];
                v[i][j][k] = sum;
            }
}

ROW(twenty_seven_point_f32) {
    long n = size[0];
    float *u = floats(n * n * n), *weight = floats(27), *v = floats(n * n * n);
    for (int run = 0; run < runs; run++)
        twenty_seven_point_f32(n, (void *)u, (void *)weight, (void *)v);
    free(u), free(weight), free(v);
}

static void seven_point_f64(int n, double u[n][n][n], double v[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                v[i][j][k] = 0.4 * u[i][j][k] + 0.1 * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] +
                                                       u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1]);
}

ROW(seven_point_f64) {
    long n = size[0];
    double *u = doubles(n * n * n), *v = doubles(n * n * n);
    for (int run = 0; run < runs; run++)
        seven_point_f64(n, (void *)u, (void *)v);
    free(u), free(v);
}

static void twenty_seven_point_f64(int n, double u[n][n][n], double weight[3][3][3], double v[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                double sum = 0;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        for (int r = 0; r < 3; r++)
                            sum += weight[p][q][r] * u[i + p - 1][j + q - 1][k + r - 1];
                v[i][j][k] = sum;
            }
}

ROW(twenty_seven_point_f64) {
    long n = size[0];
    double *u = doubles(n * n * n), *weight = doubles(27), *v = doubles(n * n * n);
    for (int run = 0; run < runs; run++)
        twenty_seven_point_f64(n, (void *)u, (void *)weight, (void *)v);
    free(u), free(weight), free(v);
}
