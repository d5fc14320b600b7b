/* Operators of BLAS as loops, each a call: with a triangle, on matrices, on vectors, in double and in float, and in a loop
   of steps. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif
#ifndef M
#define M 53
#endif
#ifndef STEPS
#define STEPS 6
#endif

static double l[N][N], a[N][M], b[N][M], c[N][N], d[N][M], e[M][N], x[N], y[N];
static float fl[N][N], fb[M][N], fx[N];

static void init(void) {
    for (int i = 0; i < N; i++) {
        x[i] = (i * 7 % 19) * 0.5 - 3;
        y[i] = i % 5 + 0.25;
        fx[i] = i % 4 + 1;
        for (int j = 0; j < N; j++) {
            l[i][j] = i == j ? N + i % 3 : (i * 5 + j * 3) % 13 * 0.1 - 0.6;
            fl[i][j] = i == j ? N + i % 3 : (i * 3 + j * 5) % 11 * 0.1f - 0.5f;
            c[i][j] = (i + j) % 7;
        }
        for (int j = 0; j < M; j++) {
            a[i][j] = (i * 3 + j * 2) % 11 * 0.2 - 1;
            b[i][j] = (i + j * 5) % 9 * 0.25 - 1;
            d[i][j] = (i * 2 + j) % 5;
            fb[j][i] = (i + j) % 6 - 2.5f;
        }
    }
}

/* syrk of the lower triangle, syr2k of the upper one. */
static void triangles(double alpha, double beta) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++)
            c[i][j] *= beta;
        for (int k = 0; k < M; k++)
            for (int j = 0; j <= i; j++)
                c[i][j] += alpha * a[i][k] * a[j][k];
    }
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++)
            for (int k = 0; k < M; k++)
                c[i][j] += a[i][k] * b[j][k] + b[i][k] * a[j][k];
}

/* symm, trmm, trsm from the left; trsm of float from the right. */
static void matrices(double alpha, double beta) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            double t = 0;
            for (int k = 0; k < i; k++) {
                d[k][j] += alpha * b[i][j] * l[i][k];
                t += b[k][j] * l[i][k];
            }
            d[i][j] = beta * d[i][j] + alpha * b[i][j] * l[i][i] + alpha * t;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            for (int k = i + 1; k < N; k++)
                b[i][j] += l[k][i] * b[k][j];
            b[i][j] = alpha * b[i][j];
        }
    for (int k = 0; k < N; k++) {
        for (int j = 0; j < M; j++)
            a[k][j] /= l[k][k];
        for (int i = k + 1; i < N; i++)
            for (int j = 0; j < M; j++)
                a[i][j] -= l[i][k] * a[k][j];
    }
    for (int r = 0; r < M; r++)
        for (int i = N - 1; i >= 0; i--) {
            float s = fb[r][i];
            for (int k = i + 1; k < N; k++)
                s -= fl[k][i] * fb[r][k];
            fb[r][i] = s / fl[i][i];
        }
}

/* trsv, ger twice, a transpose, a sum with it. */
static void levels(double alpha) {
    for (int i = 0; i < N; i++) {
        y[i] = x[i];
        for (int j = 0; j < i; j++)
            y[i] -= l[i][j] * y[j];
        y[i] = y[i] / l[i][i];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = c[i][j] + alpha * x[i] * y[j] + y[i] * x[j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            e[j][i] = d[i][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            d[i][j] = 0.5 * a[i][j] - alpha * e[j][i];
}

/* swap, axpy, scal, copy, dot, asum. */
static double vectors(double alpha) {
    double s = 0, t = 0;
    for (int i = 0; i < N; i++) {
        double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
    for (int i = 0; i < N; i++)
        x[i] += alpha * c[i][3];
    for (int i = 0; i < N; i++)
        fx[i] *= 0.5f;
    for (int i = 0; i < N; i++)
        e[2][i] = x[i];
    for (int i = 0; i < N; i++)
        s += x[i] * y[i];
    for (int i = 0; i < N; i++)
        t += fabs(x[i]);
    return s + t;
}

/* The same calls at every step: a graph. */
static void steps(void) {
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < N; i++) {
            y[i] = 0;
            for (int j = 0; j < N; j++)
                y[i] += 0.01 * l[i][j] * x[j];
        }
        for (int i = 0; i < N; i++)
            x[i] += y[i];
    }
}

int main(void) {
    init();
    triangles(1.5, 0.5);
    matrices(1.5, 0.5);
    levels(0.75);
    double s = vectors(2);
    steps();
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += c[i][i / 2] + d[i][i] + e[i % M][i] + x[i] + fb[i % M][i] + fx[i];
    printf("%.6g %.6g\n", s, sum);
    return 0;
}
