/* Sizes of nothing: none, one, or a negative number of iterations. What has nothing to do changes nothing. Rows are not
 * shorter than nothing: such a call is left to the original. */
#include <stdio.h>

#ifndef N
#define N 40
#endif
static double a[N][N], b[N * N], c[N * N], u[N * N], v[N * N];

static double dot(int n, const double *x, const double *y) {
    double s = 1;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}

static void rows(int n, int m, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            s += x[i * m + j];
        y[i] = s;
    }
}

static void columns(int n, int m, const double *x, double *y) {
    for (int j = 0; j < m; j++)
        y[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[j] += x[i * m + j];
}

static void heat(int steps, int n, double *x, double *y) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            y[i] = 0.3 * (x[i - 1] + x[i] + x[i + 1]);
        for (int i = 1; i < n - 1; i++)
            x[i] = y[i];
    }
}

static void product(int n, const double *x, const double *y, double *z) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            z[i * n + j] = 0;
            for (int k = 0; k < n; k++)
                z[i * n + j] += x[i * n + k] * y[k * n + j];
        }
}

static void lu(int n, double x[N][N]) {
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++)
            x[i][k] /= x[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                x[i][j] -= x[i][k] * x[k][j];
    }
}

static double settle(int n, double *x, double *y) {
    double change = 1;
    for (int t = 0; change > 1e-3 && t < 5; t++) {
        change = 0;
        for (int i = 1; i < n - 1; i++) {
            y[i] = 0.5 * (x[i - 1] + x[i + 1]);
            change += (y[i] - x[i]) * (y[i] - x[i]);
        }
        for (int i = 1; i < n - 1; i++)
            x[i] = y[i];
    }
    return change;
}

int main(void) {
    static const int sizes[] = {N, 0, 1, -1, -7, 2};
    for (int q = 0; q < 6; q++) { // decline: what must hold of the sizes here depends on `k`
        int n = sizes[q], m = n < 0 ? 0 : n;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                a[i][j] = (i == j) * N + (i * 7 + j) % 5;
                b[i * N + j] = (i + j) % 7;
                c[i * N + j] = 1;
                u[i * N + j] = (i * 3 + j) % 4;
            }
        double s = dot(n, b, u);
        rows(n, N, b, c);
        rows(N, m, b, c);
        rows(n, m, b, c);
        heat(3, n, b, u);
        heat(n, N, b, u);
        product(m, b, u, v);
        lu(n, a);
        columns(n, N, b, v);
        columns(N, m, b, v);
        s += settle(n, b, v);
        for (int i = 0; i < N * N; i++)
            s += a[i / N][i % N] + b[i] * 2 + c[i] * 3 + u[i] + v[i];
        printf("%d %.10g\n", n, s);
    }
    return 0;
}
