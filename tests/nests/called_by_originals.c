/* Where a region's original loops run, they call functions that have regions of their own: what these leave on the device
   is at home again before the loops go on. */
#include <stdio.h>
enum { n = 700 };
static unsigned long h[n];
static unsigned top[n];
static double x[n], y[n];
static void mix(int m, unsigned long *p) {
    for (int i = 0; i < m; i++) {
        p[i] ^= p[i] << 13;
        p[i] ^= p[i] >> 7;
        p[i] ^= p[i] << 17;
    }
}
static void smooth(const double *a, double *b) {
    for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; i++) b[i] += 1;
}
static void both(double *a, double *b) {
    smooth(a, b);
    smooth(b, a);
}
/* The overlap of its arrays, seen at run time, sends it to its original loops. */
static double apart(double *a, double *b, double *c) {
    double s = 0;
    for (int t = 0; t < 3; t++) {
        both(a, b);
        for (int i = 0; i < n; i++) c[i] += a[i] * 0.25;
    }
    for (int i = 0; i < n; i++) s += c[i] + b[i];
    return s;
}
int main(void) {
    for (int i = 0; i < n; i++) h[i] = i + 1;
    for (int t = 0; t < 3; t++) mix(n, h);
    for (int i = 0; i < n; i++) top[i] = (unsigned)(h[i] >> 20);
    for (int i = 0; i < n; i++) x[i] = top[i] % 1000u;
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * (i % 7);
    printf("%g\n", s);
    printf("%g\n", apart(x, y, x));
    static double z[n];
    printf("%g\n", apart(x, y, z));
    for (int i = 0; i < n; i++) s += x[i] + y[i] + z[i];
    printf("%g\n", s);
    return 0;
}
