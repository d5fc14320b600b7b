/* Element-wise product of two vectors. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1001
#endif

static double uniform(void) {
    static unsigned seed = 5;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static void vv(long n, const double *x, const double *y, double *z) {
    for (long i = 0; i < n; i++)
        z[i] = x[i] * y[i];
}

int main(void) {
    double *x = malloc(N * sizeof *x);
    double *y = malloc(N * sizeof *y);
    double *z = malloc(N * sizeof *z);
    double check = 0.0;
    if (!x || !y || !z)
        return 1;
    for (long i = 0; i < N; i++) {
        x[i] = uniform();
        y[i] = uniform();
    }
    vv(N, x, y, z);
    for (long i = 0; i < N; i++)
        check += z[i] * (1 + i % 7);
    printf("vv %.10e\n", check);
    free(x);
    free(y);
    free(z);
    return 0;
}
