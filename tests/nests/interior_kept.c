/* Elements before a pointer that is set, or that lie further ahead, in a loop around the nest: exchanged pointers, and offsets that
 * change, keep their place. All numbers are exact. */
#include <stdio.h>
#include <stdlib.h>
static void steps(double *a, double *b, const int *off, int n, int m)
{
    for (int t = 0; t < m; t++) {
        double *u, *v;
        if (t & 1) { u = a + 8; v = b + 8; } else { u = b + 8; v = a + 8; }
        for (int i = 0; i < n - 16; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1]) + 1;
    }
    for (int t = 0; t < m; t++) {
        int o = off[t];
        for (int i = 0; i < n - 16; i++) a[i + 8] += b[i];
        for (int i = 0; i < n - 16; i++) (b + 8)[i] = (a + 8)[i - o];
    }
}
static void jac(double *u, double *v, int n, int m)
{
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        double *w = u; u = v; v = w;
    }
}
static double tail(const double *p, int n, const int *off)
{
    double s = 0;
    for (int b = 0; b < 3; b++) {
        int o = off[b] + 1;
        for (int i = 0; i < n; i++) s += p[i - o] * (b + 1);
    }
    return s;
}
int main(void)
{
    int n = 3000, m = 6, off[6] = {1, 2, 0, 3, 5, 4};
    double *a = calloc(n, 8), *b = calloc(n, 8), s = 0;
    for (int i = 0; i < n; i++) a[i] = i % 5, b[i] = i % 3;
    steps(a, b, off, n, m);
    jac(a + 4, b + 4, n - 10, 7);
    for (int i = 0; i < n; i++) s += a[i] * (i % 3) + b[i];
    printf("%.12g %.12g\n", s, tail(a + 20, n - 30, off));
    return 0;
}
