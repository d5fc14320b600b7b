/* Heat on a plate: a 5-point stencil over time steps, between two global grids. */
#include <stdio.h>

#ifndef N
#define N 61
#endif
#ifndef STEPS
#define STEPS 10
#endif

static double a[N][N], b[N][N];

static double uniform(void) {
    static unsigned seed = 10;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static void stencil5(void) {
    int t, i, j;
    for (t = 0; t < STEPS; t++) {
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                a[i][j] = b[i][j];
    }
}

int main(void) {
    double check = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = uniform();
    stencil5();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check += a[i][j] * (1 + (i + j) % 7);
    printf("stencil5 %.10e\n", check);
    return 0;
}
