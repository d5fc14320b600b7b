/* Limits of <float.h> in loops: GCC writes those of `double` as constants of `long double`. */
#include <float.h>
#include <math.h>
#include <stdio.h>

enum { LENGTH = 400 };

static void logarithms(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++)
        y[i] = log(x[i] + DBL_MIN) / DBL_EPSILON;
}

static void nearest(int n, int m, const double *x, const double *y, double *d) {
    for (int i = 0; i < n; i++) {
        double least = DBL_MAX;
        for (int j = 0; j < m; j++)
            least = fmin(least, fabs(x[i] - y[j]));
        d[i] = least == DBL_MAX ? -1.0 : least;
    }
}

static void tenths(int n, double *y) {
    for (int i = 0; i < n; i++)
        y[i] += (double)0.1L;  // decline: `long double` is computed here
}

int main(void) {
    static double x[LENGTH], y[LENGTH], d[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
        x[i] = i % 5;
        y[i] = 0.37 * (i % 11) - 1;
    }
    nearest(LENGTH, LENGTH, x, y, d);
    logarithms(LENGTH, x, y);
    tenths(LENGTH, d);
    double s = 0;
    for (int i = 0; i < LENGTH; i++)
        s += d[i] + y[i] * DBL_EPSILON;
    printf("%.12g\n", s);
    return 0;
}
