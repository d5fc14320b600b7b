/* A condition on a number that is no size decides on the host; the loops under it are parallel like any. */
#include <stdio.h>
static double y[40], z[40];
static void turned(int n, double *y, double lambda) {
    int i;
    if (lambda < 0.0) {
        for (i = 0; i < n; i++) y[i] = -y[i];
    }
}
static void between(int n, double *restrict y, double *restrict z, double lambda) {
    double s = 0;
    for (int i = 0; i < n; i++) y[i] = z[i] * 2 + 1;
    if (lambda < 0.0)
        for (int i = 0; i < n; i++) y[i] = -y[i];
    else if (lambda > 5.0) {
        for (int i = 0; i < n; i++) y[i] += z[n - 1 - i];
        y[0] = 3;
        s = 1;
    } else {
        z[1] = lambda;
    }
    for (int i = 0; i < n; i++) z[i] += y[i] + s;
}
static void element(int n, double *restrict y, const double *restrict flag) {
    if (*flag < 0.0)
        for (int i = 0; i < n; i++) y[i] = 3 - y[i];
}
int main(void) {
    double s = 0, flag = -1;
    for (int i = 0; i < 40; i++) y[i] = i % 7, z[i] = i % 5;
    turned(40, y, -1.5);
    turned(40, y, 1.5);
    for (int i = 0; i < 40; i++) s += y[i] * (i % 3);
    between(40, y, z, -1.0);
    between(40, y, z, 7.0);
    between(40, y, z, 2.0);
    element(40, y, &flag);
    for (int i = 0; i < 40; i++) s += z[i] * (i % 3) + y[i];
    printf("%g\n", s);
    return 0;
}
