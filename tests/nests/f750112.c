/* The subscripts of an array show its rows in one nest and not in another: what may be one array with it has the same shape
   in each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned kept;
#pragma rt shape(b: n + m + 1)
#pragma rt shape(f: 2 * n + 10)
static void f750112(int n, int m, const double *a, int *b, double *c, int d[m + 1][n + m + 1][n + m + 1], double *f) {
    double s0 = 0;
    int p0 = 7;
    int p2 = 7;
    int p1 = 7;
    int p3 = 7;
    for (p0 = 0; p0 < m - 2; p0 += 3) {
        for (long j1 = p0; j1 >= 0; j1--) {
            b[j1] &= (int)(fabs(a[2 * (n + m + 1) + m - j1 - 3]));
        }
    }
    for (p2 = 0; p2 <= 4; p2++) {
        for (p1 = 0; p1 <= n - 2; p1 += 2) {
            for (p3 = p2; p3 <= 4; p3++) {
            }
        }
        s0 -= fmod(-(((p2 == 2 ? d[-p2 + 4][3][p2] : c[p2]) + (c[p2] + p2))), 97.0);
    }
    for (p1 = 0; p1 < n; p1++) {
        for (p3 = 1; p3 < n; p3++) {
            c[p3] *= p1 > 0 ? -1 : 1;
            if ((-(a[2 * (n + m + 1) + p3 - 1]) + fmin(a[(n - p1 - 1) * (n + m + 1) + p3], a[(2 * p1) * (n + m + 1) + p3])) < f[2 * p1 + 1]) {
            }
        }
    }
    kept = kept * 31 + (unsigned)p0;
    kept = kept * 31 + (unsigned)p2;
    kept = kept * 31 + (unsigned)p1;
    kept = kept * 31 + (unsigned)p3;
}
int main(void) {
    int n = 6, m = 11, size = 2 * (n + m + 1) * (n + m + 1), *b = malloc(size * sizeof *b);
    int(*d)[n + m + 1][n + m + 1] = calloc((m + 1) * (n + m + 1) * (n + m + 1), sizeof(int));
    double *a = malloc(size * sizeof *a), *c = malloc(size * sizeof *c), *f = malloc(size * sizeof *f), s = 0;
    for (int i = 0; i < size; i++) a[i] = i % 13, b[i] = i % 5 + 7, c[i] = i % 3, f[i] = i % 11;
    f750112(n, m, a, b, c, d, f);
    f750112(n, m, a, b, a, d, f);
    for (int i = 0; i < size; i++) s += a[i] + b[i] * (i % 7) + c[i];
    printf("%.9g %u\n", s, kept);
    return 0;
}
