/* Complex numbers that stay: what is not known of them is said where it stands, and nowhere else. */
#include <complex.h>

typedef double complex cpx;

void sines(int n, cpx *z, double *a) {
    for (int i = 0; i < n; i++) z[i] = csin(z[i]);  // decline: this complex number is used in a way that is not modelled
    for (int i = 0; i < n; i++) a[i] *= 2;
}

void wide(int n, const cpx *z, double *a) {
    long double complex s = 0;
    for (int i = 0; i < n; i++) {
        cpx w = z[i] + 1.0i;
        s += w;  // decline: `__real__ s` is of `long double`
        a[i] = __real__ w + __imag__(w);
    }
    a[0] = (double)creall(s);
}

void effects(int n, const cpx *z, cpx *y) {
    int k = 0;
    for (int i = 0; i < n; i++)
        y[k++] = z[i];  // decline: complex numbers in an expression that does more than compute
}

void address(int n, const cpx *z, void (*f)(cpx *)) {
    cpx held = 0;
    for (int i = 0; i < n; i++)
        held += z[i];  // decline: this complex number is used in a way that is not modelled
    f(&held);
}
