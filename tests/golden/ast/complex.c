/* Complex numbers as pairs: variables, places in memory, operators, functions, heads of loops. */
#include <complex.h>

static double complex turned(double complex z, double by) {
    if (by == 0) return z;
    return z * cexp(I * by);
}

double operators(double complex a, double complex b, double x, int k) {
    double complex z = a + b, w;
    w = x - z;
    w -= a * b / x;
    w *= w + k;
    w = -conj(w) / (x / a);
    z = w = z;
    float complex f = (float complex)(w + 2.0f * I);
    if (z != w || !f) w = k > 0 ? z : x;
    return cabs(w) + carg(w) + crealf(f) + __imag__ z + (z == x);
}

void memory(int n, double complex *z, float complex (*rows)[8], double complex *p) {
    for (int i = 0; i < n; i++) {
        z[i] += turned(z[i] * 2, creal(*p));
        rows[i][1] = csqrtf(rows[i][0]) - clogf(2);
    }
}

int heads(double complex c) {
    int n = 0;
    for (double complex z = 0; n < 100 && cabs(z) < 2; n++) z = z * z + c;
    return n;
}

double complex whole(double complex c) {
    double complex *p = &c, list[2] = {1, I};
    return *p + list[1];
}
