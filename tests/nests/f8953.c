/* Behind a loop in the thread, an axis counts what the counter of that loop has counted. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
static void f8953(int n, double *b, double *c, double *d) {
    double t1 = 0;
    int j6;
    for (int i5 = n - 2; i5 > 1; i5--) {
        double t0 = d[i5] - b[i5];
        c[i5] = c[i5] > d[i5 + 2] ? c[i5] : d[i5 + 2];
        for (j6 = 2; j6 <= (4 < 5 ? 4 : 5); j6 += 3) {
            c[j6] = c[j6] < 1 ? c[j6] : 1;
        }
        c[i5] = fmin(fmax(fabs(t1) - b[i5], -99.0), 99.0);
    }
}
int main(void) {
    int n = 9;
    double *b = calloc(100, 8), *c = calloc(100, 8), *d = calloc(100, 8);
    for (int i = 0; i < 100; i++) b[i] = i % 7, c[i] = i % 5, d[i] = i % 3;
    f8953(n, b, c, d);
    for (int i = 0; i < 20; i++) printf("%g ", c[i]);
    return 0;
}
