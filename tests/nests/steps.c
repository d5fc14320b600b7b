/* Products in the steps of other loops, which a block runs in order: a value that lives in one step or in all of them,
 * steps that count by two or downwards, bounds and elements that depend on the step, steps within steps. */
#include <stdio.h>

#define N 70

static void repeated(int n, int times, float a[n][n], float b[n][n], float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int r = 0; r < times; r++) {
                float s = r;
                for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
                c[i][j] = s - c[i][j];
            }
}

static void chained(int n, int m, double a[m][n][n], double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int r = 0; r < m; r++) {
                for (int k = 0; k < n; k++) s += a[r][i][k] * b[k][j];
                s = s > 1000 ? s - 1000 : s;
            }
            c[i][j] = s;
        }
}

static void strided(int n, int m, double a[n][n], double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n - 1; j++) {
            for (int r = 1; r < m; r += 2)
                for (int k = r; k < n; k++) c[i][j] += a[i][k] * b[k][j];
            for (int r = m; r > 3; r--)
                for (int k = 0; k < n - r; k++) c[i][j] -= a[i][k + r] * b[k][j];
        }
}

static void within(int n, int m, double w[m][m], double a[m][n][n], double b[m][n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 1;
            for (int p = 0; p < m; p++)
                for (int q = p; q < m; q++) {
                    double s = 0;
                    for (int k = 0; k < n; k++) s += w[p][q] * a[p][i][k] * b[q][k][j];
                    if (s > 3) c[i][j] += s;
                }
        }
}

static void two_products(int n, int m, double a[n][n], double b[n][n], double c[n][n], double d[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int r = 0; r < m; r++) {
                double s = 0, t = 0;
                for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
                for (int k = 0; k < n; k++) t += a[k][i] * b[j][k];
                c[i][j] += s - r * t;
                d[i][j] = s * t;
            }
}

static void by_row(int n, double a[n][n], double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int r = 0; r < i; r++) {
                double s = 0;
                for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
                c[i][j] += s + r;
            }
}

static void none(int n, int m, double a[n][n], double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int r = 0; r < m; r++) {
                c[i][j] = r;
                for (int k = m; k < n - m; k++) c[i][j] += a[i][k] * b[k][j];
            }
}

int main(void) {
    static float f[3][N][N];
    static double a[3][N][N], b[3][N][N], c[N][N], d[N][N], w[3][3];
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                f[r][i][j] = (i * 3 + j * 5 + r) % 7 - 3;
                a[r][i][j] = (i * 5 + j * 3 + r) % 11 - 5;
                b[r][i][j] = (i + j * 2 - r) % 5 - 1;
            }
    for (int i = 0; i < 9; i++) w[i / 3][i % 3] = i * 0.5 - 1;
    repeated(N, 3, f[0], f[1], f[2]);
    repeated(N - 3, 0, (float(*)[N - 3])f[0], (float(*)[N - 3])f[1], (float(*)[N - 3])f[2]);
    chained(N, 3, a, b[0], c);
    strided(N, 9, a[0], b[0], c);
    within(N, 3, w, a, b, d);
    two_products(N - 1, 4, (double(*)[N - 1])a[0], (double(*)[N - 1])b[0], (double(*)[N - 1])c, (double(*)[N - 1])d);
    by_row(N, a[1], b[1], c);
    none(N, 0, a[0], b[0], c);
    none(N, 40, a[0], b[0], d);
    none(N, 2, a[0], b[0], d);
    double s = 0, t = 0, u = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            s += f[2][i][j] * ((i + 2 * j) % 13);
            t += c[i][j] * ((2 * i + j) % 11);
            u += d[i][j] * ((i + j) % 7);
        }
    printf("%.3f %.3f %.3f\n", s, t, u);
    return 0;
}
