/* The heat equation with two arrays whose pointers are exchanged after each step, so that nothing is copied. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 47
#endif
#ifndef M
#define M 41
#endif
#ifndef STEPS
#define STEPS 7
#endif

static double uniform(void) {
    static unsigned seed = 5;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

/* Returns the array that holds the last step. */
static double *heat(int n, int m, int steps, double c, double *u, double *un) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                un[i * m + j] = u[i * m + j]
                                + c
                                      * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]
                                         - 4.0 * u[i * m + j]);
        double *tmp = u;
        u = un;
        un = tmp;
    }
    return u;
}

/* The same with rows that the compiler knows. */
static double rod(int n, int steps, double c, double (*u)[2], double (*un)[2]) {
    double sum = 0.0;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int k = 0; k < 2; k++)
                un[i][k] = u[i][k] + c * (u[i - 1][k] - 2.0 * u[i][k] + u[i + 1][k]);
        double(*tmp)[2] = u;
        u = un;
        un = tmp;
    }
    for (int i = 0; i < n; i++)
        sum += u[i][0] - 0.5 * u[i][1];
    return sum;
}

int main(void) {
    double *u = malloc(sizeof(double) * N * M), *un = malloc(sizeof(double) * N * M);
    double(*a)[2] = malloc(N * sizeof *a), (*b)[2] = malloc(N * sizeof *b);
    double check = 0.0;
    if (!u || !un || !a || !b)
        return 1;
    for (int i = 0; i < N * M; i++)
        u[i] = un[i] = uniform();
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++)
            a[i][k] = b[i][k] = uniform();
    double *last = heat(N, M, STEPS, 0.2, u, un);
    for (int i = 0; i < N * M; i++)
        check += last[i] * (1 + i % 7);
    printf("pointer_swap %.10e %.10e\n", check, rod(N, STEPS, 0.3, a, b));
    free(u);
    free(un);
    free(a);
    free(b);
    return 0;
}
