/* Complex numbers: declined where they are computed with, and nowhere else. */
#include <complex.h>

typedef double complex cpx;

static cpx turned(cpx z, double by) {
    return z * cexp(I * by);
}

void scale(int n, double complex *z, double *a) {
    for (int i = 0; i < n; i++) z[i] *= 2;  // decline: complex numbers of C are not modelled
    for (int i = 0; i < n; i++) a[i] *= 2;
}

void parts(int n, const float _Complex *z, float *a) {
    for (int i = 0; i < n; i++) a[i] = crealf(z[i]);  // decline: complex numbers of C are not modelled
}

void sum(int n, const _Complex double *z, double *a) {
    long double complex s = 0;
    for (int i = 0; i < n; i++) {
        cpx w = z[i] + 1.0i;  // decline: complex numbers of C are not modelled
        s += w;
        a[i] = __real__ w + __imag__(w);
    }
    a[0] = (double)creall(s);
}

void norms(int n, const cpx *z, double *a) {
    for (int i = 0; i < n; i++) a[i] = cabs(turned(z[i], 0.5));  // decline: complex numbers of C are not modelled
    for (int i = 1; i < n; i++) a[i] += 1;
}

void plain(int n, volatile double *v, double *a) {
    for (int i = 0; i < n; i++) a[i] += 1.5;
    cpx one = CMPLX(1, 0), two = (cpx)2;
    a[0] += creal(one * two);
}
