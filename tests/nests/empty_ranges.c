/* Ranges that no size fills lie anywhere: what lies around two of them is not between their ends. */
#include <math.h>
#include <stdio.h>
static void f(int n, int m, int a[m + 1][m + 1], float *b, int *c) {
    for (int i0 = n - 1; i0 >= 0; i0--) {
        if (i0 > 5) {
            for (int j1 = i0 + 2; j1 >= i0; j1--) {
                b[(2 * i0) * (2 * n + m + 1) + i0] = b[j1 * (2 * n + m + 1) + i0];
                for (int k2 = 0; k2 < (m < i0 + 1 ? m : i0 + 1); k2 += 2) {
                    double t0 = (a[k2][k2] - b[j1 * (2 * n + m + 1) + 2 * i0]) * c[2 * k2];
                    b[(j1 + i0) * (2 * n + m + 1) + 2 * i0] = 5 + b[k2 * (2 * n + m + 1) + i0];
                    b[j1 * (2 * n + m + 1) + i0] = fmin(fmax(t0 * t0 - j1 - fabs(b[i0 * (2 * n + m + 1) + j1]), -99.0), 99.0);
                }
            }
        }
    }
}
int main(void) {
    static float b[60 * 40];
    static int a[20][20], c[80];
    for (int i = 0; i < 2400; i++) b[i] = i % 13 - 6;
    for (int i = 0; i < 80; i++) c[i] = i % 3;
    f(6, 9, a, b, c);
    f(8, 4, a, b, c);
    double s = 0;
    for (int i = 0; i < 2400; i++) s += b[i] * (i % 7 + 1);
    printf("%g\n", s);
    return 0;
}
