/* Products of matrices by seven products of their quarters, one level deep. */
#include "kernels.h"

/* Whether an element is what a row and a column make. */
static void must_be_product(long n, const float *a, const float *b, const float *c, long i, long j) {
    double sum = 0;
    for (long k = 0; k < n; k++)
        sum += (double)a[i * n + k] * b[k * n + j];
    if (c[i * n + j] - sum > 1e-3 * sum || sum - c[i * n + j] > 1e-3 * sum) {
        fprintf(stderr, "the product has %g in place of %g\n", c[i * n + j], sum);
        exit(1);
    }
}

/* After V. Strassen, Gaussian elimination is not optimal (1969). */
static void strassen(int h, float a[2 * h][2 * h], float b[2 * h][2 * h], float s[7][h][h], float t[7][h][h],
                     float m[7][h][h], float c[2 * h][2 * h]) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < h; j++) {
            float a11 = a[i][j], a12 = a[i][h + j], a21 = a[h + i][j], a22 = a[h + i][h + j];
            float b11 = b[i][j], b12 = b[i][h + j], b21 = b[h + i][j], b22 = b[h + i][h + j];
            s[0][i][j] = a11 + a22;
            s[1][i][j] = a21 + a22;
            s[2][i][j] = a11;
            s[3][i][j] = a22;
            s[4][i][j] = a11 + a12;
            s[5][i][j] = a21 - a11;
            s[6][i][j] = a12 - a22;
            t[0][i][j] = b11 + b22;
            t[1][i][j] = b11;
            t[2][i][j] = b12 - b22;
            t[3][i][j] = b21 - b11;
            t[4][i][j] = b22;
            t[5][i][j] = b11 + b12;
            t[6][i][j] = b21 + b22;
        }
    for (int p = 0; p < 7; p++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < h; j++) {
                float sum = 0;
                for (int k = 0; k < h; k++)
                    sum += s[p][i][k] * t[p][k][j];
                m[p][i][j] = sum;
            }
    for (int i = 0; i < h; i++)
        for (int j = 0; j < h; j++) {
            float m1 = m[0][i][j], m2 = m[1][i][j], m3 = m[2][i][j], m4 = m[3][i][j];
            float m5 = m[4][i][j], m6 = m[5][i][j], m7 = m[6][i][j];
            c[i][j] = m1 + m4 - m5 + m7;
            c[i][h + j] = m3 + m5;
            c[h + i][j] = m2 + m4;
            c[h + i][h + j] = m1 - m2 + m3 + m6;
        }
}

ROW(strassen) {
    long h = size[0] / 2, n = h * h;
    float *a = floats(4 * n), *b = floats(4 * n), *c = floats(4 * n);
    float *s = zeros(28 * n), *t = zeros(28 * n), *m = zeros(28 * n);
    for (int run = 0; run < runs; run++)
        strassen(h, (void *)a, (void *)b, (void *)s, (void *)t, (void *)m, (void *)c);
    for (int quarter = 0; quarter < 4; quarter++)
        must_be_product(2 * h, a, b, c, quarter / 2 * h, quarter % 2 * h + 1);
    free(a), free(b), free(c), free(s), free(t), free(m);
}

/* After S. Winograd: the same with fewer sums. */
static void winograd(int h, float a[2 * h][2 * h], float b[2 * h][2 * h], float s[7][h][h], float t[7][h][h],
                     float m[7][h][h], float c[2 * h][2 * h]) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < h; j++) {
            float a11 = a[i][j], a12 = a[i][h + j], a21 = a[h + i][j], a22 = a[h + i][h + j];
            float b11 = b[i][j], b12 = b[i][h + j], b21 = b[h + i][j], b22 = b[h + i][h + j];
            s[0][i][j] = a11;
            s[1][i][j] = a12;
            s[2][i][j] = a12 - (a21 + a22 - a11);
            s[3][i][j] = a22;
            s[4][i][j] = a21 + a22;
            s[5][i][j] = a21 + a22 - a11;
            s[6][i][j] = a11 - a21;
            t[0][i][j] = b11;
            t[1][i][j] = b21;
            t[2][i][j] = b22;
            t[3][i][j] = b22 - (b12 - b11) - b21;
            t[4][i][j] = b12 - b11;
            t[5][i][j] = b22 - (b12 - b11);
            t[6][i][j] = b22 - b12;
        }
    for (int p = 0; p < 7; p++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < h; j++) {
                float sum = 0;
                for (int k = 0; k < h; k++)
                    sum += s[p][i][k] * t[p][k][j];
                m[p][i][j] = sum;
            }
    for (int i = 0; i < h; i++)
        for (int j = 0; j < h; j++) {
            float m1 = m[0][i][j], m2 = m[1][i][j], m3 = m[2][i][j], m4 = m[3][i][j];
            float m5 = m[4][i][j], m6 = m[5][i][j], m7 = m[6][i][j];
            c[i][j] = m1 + m2;
            c[i][h + j] = m1 + m6 + m5 + m3;
            c[h + i][j] = m1 + m6 + m7 - m4;
            c[h + i][h + j] = m1 + m6 + m7 + m5;
        }
}

ROW(winograd) {
    long h = size[0] / 2, n = h * h;
    float *a = floats(4 * n), *b = floats(4 * n), *c = floats(4 * n);
    float *s = zeros(28 * n), *t = zeros(28 * n), *m = zeros(28 * n);
    for (int run = 0; run < runs; run++)
        winograd(h, (void *)a, (void *)b, (void *)s, (void *)t, (void *)m, (void *)c);
    for (int quarter = 0; quarter < 4; quarter++)
        must_be_product(2 * h, a, b, c, quarter / 2 * h, quarter % 2 * h + 1);
    free(a), free(b), free(c), free(s), free(t), free(m);
}
