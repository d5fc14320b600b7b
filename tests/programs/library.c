/* Products of matrices and vectors as programs write them: loops in any order, the sum in the result or in a variable,
 * operands transposed, scaled, in `a[i * n + j]` style, parts of larger matrices, many at once. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 23
#endif
#define M (N + 4)
#define P (N - 5)

static void added(int n, int m, int p, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
}

static void scaled(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            c[i][j] *= beta;
        for (int k = 0; k < p; k++)
            for (int j = 0; j < m; j++)
                c[i][j] += alpha * a[i][k] * b[k][j];
    }
}

static void kept_apart(int n, int m, int p, double alpha, double beta, const double *a, const double *b, double *c) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            double s = 0.0;
            for (int k = 0; k < p; k++)
                s += a[k * n + i] * b[k * m + j];
            c[i * m + j] = alpha * s + beta * c[i * m + j];
        }
}

static void negative(int n, int m, int p, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i * m + j] = 0;
            for (int k = 0; k < p; k++)
                c[i * m + j] -= a[i * p + k] * b[j * p + k];
        }
}

/* By columns, and only a part of each matrix. */
static void part(int n, int ld, const double *a, const double *b, double *c) {
    for (int j = 1; j < n - 1; j++)
        for (int k = 0; k < n / 2; k++)
            for (int i = 2; i < n; i++)
                c[j * ld + i] += 2 * a[k * ld + i] * b[j * ld + k + 1];
}

static void many(int q, int n, double a[q][n][n], double b[q][n][n], double c[q][n][n]) {
    for (int l = 0; l < q; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++)
                    c[l][i][j] += a[l][i][k] * b[l][k][j];
}

static void vectors(int n, int m, double a[n][m], const double *x, double *y, double *z) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < m; j++)
            y[i] += a[i][j] * x[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            z[j] = z[j] - a[i][j] * x[2 * i + 1];
}

static double a[N * M * M], b[N * M * M], c[N * M * M];
static float fa[N * M], fb[N * M], fc[N * M];

int main(void) {
    for (int i = 0; i < N * M * M; i++) {
        a[i] = i * 7 % 11 - 5;
        b[i] = i * 5 % 13 - 6;
        c[i] = i % 3;
    }
    for (int i = 0; i < N * M; i++) {
        fa[i] = i % 7 - 3;
        fb[i] = i % 5 - 2;
    }
    added(N, M, P, (void *)a, (void *)b, (void *)c);
    scaled(N, M, P, 1.5, 0.5, (void *)a, (void *)b, (void *)c);
    scaled(N, M, P, 0.25, 0, (void *)a, (void *)b, (void *)c);
    scaled(N, M, P, 0, 1, (void *)a, (void *)b, (void *)c);
    kept_apart(N, M, P, 1.5, 0.5, a, b, c);
    negative(N, M, P, fa, fb, fc);
    part(N, M, a, b, c);
    many(P, N, (void *)a, (void *)b, (void *)c);
    vectors(N, M, (void *)a, b, c, c + N);
    vectors(0, M, (void *)a, b, c, c + N);
    double sum = 0, weighed = 0;
    for (int i = 0; i < N * M * M; i++) {
        sum += c[i];
        weighed += c[i] * (i % 7);
    }
    for (int i = 0; i < N * M; i++)
        weighed += fc[i] * (i % 3);
    printf("%.10g %.10g\n", sum, weighed);
    return 0;
}
