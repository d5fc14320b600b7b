/* Counters of one name in loops of each other: of the host, of the band, of a loop in pieces; and of blocks
   that stand beside each other. */
#include <stdio.h>
enum { N = 300, M = 90 };
static double a[N][M], y[N], z[N];

static void rows(int n, int m, int t) {
    for (int k = 0; k < t; k++) {
        for (int i = 0; i < n; i++) {
            double s = y[i];
            for (int k = 0; k < m; k++) s += a[i][k] * (k % 3);
            y[i] = s / 2;
        }
        y[k] = k;
    }
}
#define PRODUCT(z, a, x, n, m) \
    { int i, k; double s; for (i = 0; i < (n); i++) { s = 0; for (k = 0; k < (m); k++) s += (a)[i][k] * (x)[k]; (z)[i] = s + (z)[i]; } }
static void products(int n) {
    PRODUCT(z, a, y, n, 17)
    PRODUCT(y, a, z, n, 17)
}
static void columns(int n, int m) {
    for (int k = 0; k < n; k++) {
        double s = 0;
        for (int j = 0; j < m; j++) s += a[k][j];
        {
            for (int k = 0; k < m; k++) s -= a[m][k];
        }
        z[k] = s;
    }
}

int main(void) {
    for (int i = 0; i < N; i++) {
        y[i] = i % 5;
        for (int k = 0; k < M; k++) a[i][k] = (i + 3 * k) % 4;
    }
    rows(N, M, 3);
    columns(N, M);
    products(N);
    double sum = 0;
    for (int i = 0; i < N; i++) sum += (y[i] * 8 + z[i]) * (i % 7);
    printf("%.3f\n", sum);
    return 0;
}
