/* y = alpha x + y. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1001
#endif

static double uniform(void) {
    static unsigned seed = 7;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static void axpy(int n, double alpha, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}

int main(void) {
    double *x = malloc(N * sizeof *x);
    double *y = malloc(N * sizeof *y);
    double check = 0.0;
    if (!x || !y)
        return 1;
    for (int i = 0; i < N; i++) {
        x[i] = uniform();
        y[i] = uniform();
    }
    axpy(N, 1.5, x, y);
    for (int i = 0; i < N; i++)
        check += y[i] * (1 + i % 7);
    printf("axpy %.10e\n", check);
    free(x);
    free(y);
    return 0;
}
