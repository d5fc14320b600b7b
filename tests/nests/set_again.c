#include <stdio.h>

/* Numbers of a function that are set again before they are read: no value of theirs is wanted behind a loop. */
static int from = 1, to = 10;

static void flux(int n, double u[n][n], double r[n][n]) {
    int i, j, last;
    double q, f[12];
    last = n - 1;
    for (i = 0; i <= last; i++)
        for (j = from; j <= to; j++) {
            q = 0.5 * u[i][j];
            r[i][j] = q * q + u[i][j];
        }
    for (j = from; j <= to; j++) {
        last = n - 1;
        for (i = 0; i <= last; i++)
            f[i] = u[i][j] - r[i][j];
        for (i = 1; i <= last; i++) {
            q = f[i] - f[i - 1];
            r[i][j] += q / (1 + q * q);
        }
        i = last - 2;
        r[i][j] -= u[i][j];
        i = last - 1;
        r[i][j] -= u[i - 1][j];
    }
}

/* Here they are wanted: where the loop ends early, where it does not run, and in the next step. */
static int ends(int n, const double *x, double *y) {
    int i, at = -1, before = 3;
    for (int t = 0; t < 4; t++) {
        for (i = 0; i < n; i++)
            y[i] += x[i] * before;
        before = i;
        for (i = 0; i < n - t; i++) {
            at = i;
            y[i] -= x[i] + at;
        }
        if (y[t] > 1e3) break;
        i = 0;
    }
    return at + 100 * before + 10000 * i;
}

int main(void) {
    double u[12][12], r[12][12] = {{0}}, y[12] = {0}, sum = 0;
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            u[i][j] = (i * 7 + j * 5) % 11;
    flux(12, u, r);
    int a = ends(12, u[3], y), b = ends(0, u[3], y);
#pragma rt host
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            sum += r[i][j] * (i + 1) + y[j];
    printf("%.9g %d %d\n", sum, a, b);
    return 0;
}
