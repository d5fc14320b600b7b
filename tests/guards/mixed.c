/* Arrays that some calls leave on the device, announced or behind closed pages, and others read and write on the host: which do,
   is drawn. */
#include <stdio.h>
#include <stdlib.h>

static void force(long n, double *f, const double *r) {
    double *w = malloc(n * sizeof *w), mean = 0;
    for (long i = 0; i < n; i++) {
        w[i] = 0.5 * r[i];
        mean += r[i];
    }
    mean = mean / n;
    for (long i = 0; i < n; i++) f[i] = w[i] - mean;
    free(w);
}

static void drift(long n, double dt, double *r, double *p, const double *f) {
    for (long i = 0; i < n; i++) {
        p[i] += dt * f[i];
        r[i] += dt * p[i];
    }
}

int main(int argc, char **argv) {
    long n = 60000, steps = argc > 2 ? 3 * atoi(argv[2]) : 60;
    double *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p), *f = malloc(n * sizeof *f);
    for (long i = 0; i < n; i++) r[i] = i % 17, p[i] = i % 5 - 2;
    force(n, f, r);
    for (long t = 0; t < steps; t++) {
        drift(n, 1e-3, r, p, f);
        force(n, f, r);
        drift(n, 2e-3, r, p, f);
        force(n, f, r);
        if (t % 10 == 9) printf("%ld %.8g\n", t, r[t * 1000 % n]);
    }
    for (long i = 7; i < n; i += 5003) {
        double x = r[i];
        while (x > 3) x -= 6;
        printf("%.8g %.8g %.8g\n", x, p[i], f[i]);
    }
    free(r);
    free(p);
    free(f);
    return 0;
}
