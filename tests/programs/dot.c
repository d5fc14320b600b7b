/* Dot product of two vectors. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1001
#endif

static double uniform(void) {
    static unsigned seed = 6;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static double dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

int main(void) {
    double *x = malloc(N * sizeof *x);
    double *y = malloc(N * sizeof *y);
    if (!x || !y)
        return 1;
    for (int i = 0; i < N; i++) {
        x[i] = uniform();
        y[i] = uniform() - 0.25;
    }
    printf("dot %.10e\n", dot(N, x, y));
    free(x);
    free(y);
    return 0;
}
