/* Positions of 32 bits or of 64, as each call allows: counters as values keep the width of their C types, bounds may be
 * negative, and a kernel may start far away from 0. */
#include <stdio.h>

static void squares(long n, long first, long *a, double *b, float *c) {
    for (long i = 0; i < n; i++) {
        a[i] = (i + first) * (i + first) - i * 3000000000;
        b[i] = (i + 65536) * (i + 65536) * 0.5 + i / 7 - (i << 33);
        c[i] = i > 5 ? (float)(i * i * i) : (float)-i;
    }
}

static void widths(int n, unsigned int u, unsigned long *a, unsigned int *b) {
    for (unsigned int i = 0; i < u; i++)
        for (int j = 0; j < n; j++) {
            a[i * n + j] = i - 5 + (unsigned long)j * 4294967296;
            b[i * n + j] = (i - 7) * (unsigned int)(j - 3) + ~i;
        }
}

static void around_zero(int lo, int hi, int m, double a[hi - lo][m]) {
    for (int i = lo; i < hi; i++)
        for (int j = -m; j < 0; j++) a[i - lo][-j - 1] += 2 * i - j;
}

static void downwards(int n, double *a, double *b) {
    for (int i = n - 1; i >= 0; i -= 2) b[i] = a[n - 1 - i] + i % 5;
}

static void triangle(int n, double a[n][n], double b[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < i; j++) b[i][j] = a[i][j] + a[i - 1][j + 1] - a[j][i] * (i - j) + (i / 2) * n;
}

static void far_away(long at, long n, double *a) {
    for (long i = at; i < at + n; i++) a[i - at] = a[i - at] * 0.5 + i;
}

static void scaled(int n, long by, unsigned long from, double *a) {
    for (int i = 0; i < n; i++) a[i] = a[i] + (double)by + (double)from * i;
}

static void gathered(int n, int m, const int at[n], const double a[n][m], double *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i * m + j] = a[at[i]][j] + a[i][at[j % n] % m];
}

int main(void) {
    static long a[64];
    static unsigned long u[64];
    static unsigned int v[64];
    static double x[64], y[12][12], z[12][12];
    static float c[64];
    static int at[12];
    double s = 0;
    for (int i = 0; i < 12; i++) at[i] = 11 - i;
    for (int i = 0; i < 144; i++) y[i / 12][i % 12] = i % 7;
    squares(64, 100000, a, x, c);
    widths(8, 8, u, v);
    around_zero(-5, 4, 7, (double(*)[7])y);
    around_zero(3, 9, 5, (double(*)[5])y);
    downwards(60, &y[0][0], x);
    triangle(12, y, z);
    far_away(5000000000, 60, x);
    far_away(-40, 60, x);
    scaled(60, 6000000001, 7000000001, x);
    gathered(8, 8, at + 4, (const double(*)[8])y, x);
    for (int i = 0; i < 64; i++) s += (double)a[i] + (double)u[i] + v[i] + x[i] + c[i] + z[i / 12][i % 12];
    printf("%.17g\n", s);
    return 0;
}
