/* Regions marked and named by directives; what stands outside them is left to the host. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif

static double uniform(void) {
    static unsigned seed = 23;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

int main(void) {
    double(*a)[N] = malloc(sizeof(double[N][N]));
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    double norm = 0.0, check = 0.0;
    if (!a || !x || !y)
        return 1;
    for (int i = 0; i < N; i++) {
        x[i] = uniform();
        for (int j = 0; j < N; j++)
            a[i][j] = uniform();
    }

#pragma rt region name(symmetrise)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) {
            double mean = 0.5 * (a[i][j] + a[j][i]);
            a[i][j] = mean;
            a[j][i] = mean;
        }
#pragma rt end

#pragma rt region name(power_step)
    for (int i = 0; i < N; i++) {
        y[i] = 0.0;
        for (int j = 0; j < N; j++)
            y[i] += a[i][j] * x[j];
    }
    for (int i = 0; i < N; i++)
        norm += y[i] * y[i];
    for (int i = 0; i < N; i++)
        x[i] = y[i] / norm;
#pragma rt end

    for (int i = 0; i < N; i++)
        check += x[i] * (1 + i % 7) + a[i][N / 2];
    printf("named %.10e %.10e\n", norm, check);
    free(a);
    free(x);
    free(y);
    return 0;
}
