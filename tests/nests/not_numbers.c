/* What is no number, the infinities, and which kind a number is: constants and macros of math.h, and functions that are
   given or return integers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { n = 3000 };
static double a[n], b[n];
static float c[n];
static int kind[n];
static long whole[n];
static double clean(double x) { return isnan(x) || isinf(x) ? -1 : x; }
static void make(void) {
    for (int i = 0; i < n; i++) {
        a[i] = i % 7 == 0 ? NAN : i % 7 == 1 ? INFINITY : i % 7 == 2 ? -HUGE_VAL : (i - 1500) * 0.25;
        c[i] = i % 5 == 0 ? -INFINITY : i % 5 == 1 ? (float)NAN : -0.0f * i;
    }
}
static int count(double *least) {
    int bad = 0;
    *least = INFINITY;
    for (int i = 0; i < n; i++) {
        if (!isfinite(a[i])) bad++;
        if (a[i] < *least && a[i] > -HUGE_VAL) *least = a[i];
    }
    return bad;
}
static void look(void) {
    for (int i = 0; i < n; i++) {
        kind[i] = isnan(a[i]) + 2 * isinf(a[i]) + 8 * (isfinite(c[i]) != 0) + 16 * (signbit(c[i]) != 0 && !isnan(c[i]));
        b[i] = clean(a[i]);
    }
}
static void round_all(void) {
    for (int i = 0; i < n; i++) {
        whole[i] = lround(b[i]) + 3 * lrint(b[i]) + llround(b[i]) + (b[i] == 0 ? 0 : ilogb(b[i]));
        b[i] = ldexp(b[i], i % 9 - 4) + scalbn(1.0, i % 3) + (nextafter(b[i], 1e9) > b[i]) + logb(1 + fabs(b[i]));
    }
}
int main(void) {
    double least, s = 0;
    long w = 0;
    make();
    int bad = count(&least);
    look();
    round_all();
    for (int i = 0; i < n; i++) {
        s += b[i] * (i % 5);
        w += whole[i] * (i % 7) + kind[i] * (i % 11);
    }
    printf("%d %g %.10g %ld\n", bad, least, s, w);
    return 0;
}
