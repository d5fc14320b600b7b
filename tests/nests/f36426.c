/* An accumulation over a loop of another order, whose element is the same for all iterations although its subscripts
   as written name counters that move with the loop. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
static double d[61];
#pragma rt shape(b: 3, m + 1)
static void f(int n, int m, const double *a, double *b) {
    double t0 = 0;
    int i1;
    for (int i0 = 0; i0 < n - 1; i0++) {
        if (i0 == 4) {
            d[i0] = fmin(d[i0], ((i0 > 5 ? 7 : a[i0]) + fabs(a[i0])));
        } else {
            d[i0] = -(9);
        }
    }
    for (i1 = 0; i1 < m; i1++) {
        for (int j2 = 1; j2 < (m - 1 < 7 ? m - 1 : 7); j2++) {
            d[j2 - i1 + 30] *= i1 == 2 ? -1 : 1;
            for (size_t k3 = 0; k3 != 3; k3++) {
                t0 = 2;
                d[j2] = d[j2] > fmin(fmax((a[i1] + (b[(-k3 + 2) * (m + 1) + i1] + b[k3 * (m + 1) + j2])) * (a[i1] * a[m - i1 - 1] - (t0 - d[j2])), -99.0), 99.0) ? d[j2] : fmin(fmax((a[i1] + (b[(-k3 + 2) * (m + 1) + i1] + b[k3 * (m + 1) + j2])) * (a[i1] * a[m - i1 - 1] - (t0 - d[j2])), -99.0), 99.0);
            }
        }
    }
}
int main(void) { static double a[40], b[3*33]; for (int i = 0; i < 40; i++) a[i] = i % 7 - 3; for (int i = 0; i < 99; i++) b[i] = i % 5; f(6, 32, a, b); double s = 0; for (int i = 0; i < 61; i++) s += d[i] * i; printf("%g\n", s); return 0; }
