/* Complex numbers of C99: a Mandelbrot set, Julia sets in single precision, waves that are turned, summed and divided, roots
   and powers. Functions of the file are handed complex numbers and give them back. */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 96
#endif
#define MOST 60

static double complex turned(double complex z, double angle) {
    if (angle < 0)
        return conj(z);
    return z * cexp(I * angle);
}

static double norm(double complex z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

static void mandelbrot(int n, int *count) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double complex c = -2.0 + 3.0 * j / n + (-1.5 + 3.0 * i / n) * I, z = 0;
            int k = 0;
            while (k < MOST && cabs(z) < 2) {
                z = z * z + c;
                k++;
            }
            count[i * n + j] = k;
        }
}

static void julia(int n, float complex c, float *reached) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float complex z = CMPLXF(3.0f * j / n - 1.5f, 3.0f * i / n - 1.5f);
            for (int k = 0; k < 20; k++)
                z = z * z + c;
            reached[i * n + j] = cabsf(z) > 2 ? 1.0f : 0.0f;
        }
}

static double complex sum_of(int n, const double complex *z, double complex by) {
    double complex sum = 0;
    for (int i = 0; i < n; i++)
        sum += z[i] * conj(by);
    return sum;
}

static void functions(int n, const double complex *z, double complex *out) {
    for (int i = 0; i < n; i++) {
        out[i] = csqrt(z[i]) + clog(z[i] + 3) - cpow(z[i], 0.5 + 0.25 * I);
        if (out[i] != out[i])
            out[i] = 0;
    }
}

int main(void) {
    int n = N * N;
    int *count = malloc(n * sizeof *count);
    float *reached = malloc(n * sizeof *reached);
    double complex *z = malloc(n * sizeof *z), *w = malloc(n * sizeof *w);
    mandelbrot(N, count);
    julia(N, -0.8f + 0.156f * I, reached);
    for (int i = 0; i < n; i++) {
        z[i] = 1 + i % 7 - 2.0 * (i % 5) * I;
        w[i] = CMPLX(1.0, i % 11) / (2.0 + z[i]);
    }
    double energy = 0;
    for (int i = 0; i < n; i++) {
        z[i] = turned(z[i], 0.001 * i);
        w[i] *= z[i] - 1;
        w[i] /= 2;
        energy += norm(w[i]);
    }
    double complex all = sum_of(n, w, 1 + 2 * I);
    functions(n, z, w);
    /* What stays on the device is read and written here, one number at a time. */
    double first = creal(w[5]), second = __imag__ w[n - 1];
    z[3] = w[4] * (first + second * I);
    z[4] = sum_of(4, z, 1);
    double complex last = sum_of(n, w, 1) + sum_of(n, z, 1);
    long total = 0;
    double far = 0;
    for (int i = 0; i < n; i++) {
        total += count[i];
        far += reached[i];
    }
    printf("%ld %g %.8e %.8e %.8e %.8e %.8e\n", total, far, energy, creal(all), cimag(all), creal(last), cimag(last));
    free(count);
    free(reached);
    free(z);
    free(w);
    return 0;
}
