/* Arrays that lie across each other: a block loads a window of what it reads in the order of memory, and reaches beyond its
 * points where references differ by constants. */
#include <stdio.h>

#define N 75
#define M 50

static void plain(int n, int m, float a[n][m], float b[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j][i] = a[i][j];
}

static void bytes(int n, int m, signed char a[n][m], long b[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j][i] += a[i][j] * 3L + i;
}

static void added(int n, double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[i][j] = a[i][j] + a[j][i];
}

static void star(int n, int m, double a[n][m], double b[m][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 2; j < m - 2; j++)
            b[j][i] = a[i][j] - a[i - 1][j] + a[i + 1][j] * 0.5 + a[i][j + 2] - a[i][j - 1];
}

static void shifted(int n, int m, int d, double a[n][m], double b[m][n]) {
    for (int i = 3; i < n; i++)
        for (int j = d; j < m; j++) b[j - d][i - 3] = a[i - 3][j] + a[i][j - d];
}

static void below(int n, double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) b[i][j] = a[j][i] * 2;
}

static void in_three(int n, int m, float a[7][n][m], float b[m][7][n]) {
    for (int k = 0; k < 7; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) b[j][k][i] = a[k][i][j] - a[6 - k][i][j];
}

static void in_place(int n, double a[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) a[i][j] = a[j][i] + 1;
}

static void guarded(int n, int m, double a[n][m], double b[m][n], int at[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (at[i] > 2) b[j][i] = a[i][j];
            b[j][i] += a[i][(j + at[i]) % m];
        }
}

static void rows(int n, int m, double a[n][m], double b[m][n], double s[m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            double t = a[i][j] * 0.25;
            for (int k = 0; k < 3; k++) t += s[(j + k) % m] * a[i][j];
            b[j][i] = t;
        }
}

static void back_and_forth(int steps, int n, double a[n][n], double b[n][n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) b[j][i] = a[i][j] + t;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) a[i][j] = b[i][j] * 0.5;
    }
}

int main(void) {
    static float a[N][M], b[M][N], c[7][N][M], d[M][7][N];
    static signed char x[N][M];
    static long y[M][N];
    static double u[N][N], v[N][N], w[M][N], z[N][M], s[M];
    static int at[N];
    for (int i = 0; i < N; i++) {
        at[i] = i % 5;
        for (int j = 0; j < M; j++) {
            a[i][j] = i * 3 - j;
            x[i][j] = (i + j * 7) % 100 - 50;
            z[i][j] = (i * j) % 17 - 8;
            for (int k = 0; k < 7; k++) c[k][i][j] = (i + j * k) % 13;
        }
        for (int j = 0; j < N; j++) u[i][j] = (i * 5 + j * 3) % 11;
    }
    for (int j = 0; j < M; j++) s[j] = j % 4;
    plain(N, M, a, b);
    bytes(N, M, x, y);
    added(N, u, v);
    star(N, M, z, w);
    shifted(N, M, 2, z, w);
    shifted(N, M, 0, z, w);
    below(N, v, u);
    in_three(N, M, c, d);
    in_place(N, u);
    guarded(N, M, z, w, at);
    rows(N, M, z, w, s);
    back_and_forth(3, N, u, v);
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            sum += b[j][i] * (i % 7) + y[j][i] * (j % 3) + w[j][i] * ((i + j) % 5);
            for (int k = 0; k < 7; k++) sum += d[j][k][i] * (k + 1);
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum += u[i][j] * (i % 3) + v[i][j] * (j % 4);
    printf("%.3f\n", sum);
    return 0;
}
