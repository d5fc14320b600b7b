/* C99's complex numbers beside loops that convert: theirs stay, and so does what they compute. */
#include <complex.h>
#include <stdio.h>
#define N 40

typedef double complex cpx;
struct pair {
    double re, im;
};

static cpx z[N];
static double a[N], b[N][N];
static struct pair w[N];

static cpx turned(cpx u, int by) {
    return by % 2 ? u * I : u * (1 + 2 * I);
}

static void both(int n, cpx *u, double *p) {
    for (int i = 0; i < n; i++) p[i] += i;
    for (int i = 0; i < n; i++) u[i] = turned(u[i], i) - 1.0i;
    for (int i = 0; i < n; i++) p[i] *= 2;
    for (int i = 0; i < n; i++) p[i] += creal(u[i]) - __imag__ u[i];
}

/* The same in structures. */
static void pairs(int n, struct pair *u) {
    for (int i = 0; i < n; i++) {
        struct pair t = {u[i].re - 2 * u[i].im, u[i].im + 2 * u[i].re};
        u[i] = t;
    }
}

static void real(int n, double p[n][N]) {
    volatile double seen = 3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) p[i][j] = i * j + 2;
    p[0][0] = seen;
}

int main(void) {
    float _Complex s = 0;
    double t = 0;
    for (int i = 0; i < N; i++) {
        z[i] = i - i % 3 * I;
        w[i] = (struct pair){creal(z[i]), cimag(z[i])};
    }
    both(N, z, a);
    pairs(N, w);
    real(N, b);
    for (int i = 0; i < N; i++) s += conj(z[i]);
    for (int i = 0; i < N; i++) t += a[i] + w[i].re - w[i].im + b[i][N - 1];
    printf("%g %g %g\n", crealf(s), cimagf(s), t);
    return 0;
}
