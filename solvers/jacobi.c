/* Solves the dense system A x = b by Jacobi's method.
 *
 * Each sweep computes every unknown from the others' values of the sweep before, so the unknowns are independent:
 *
 *     x_new[i] = (b[i] - sum over j != i of a[i][j] x[j]) / a[i][i]
 *
 * It converges because A is strictly diagonally dominant, and stops when no unknown moves by more than TOLERANCE.
 * The size is set with -DN=...
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 100
#endif
#ifndef TOLERANCE
#define TOLERANCE 1e-10
#endif
#ifndef MAX_SWEEPS
#define MAX_SWEEPS 1000
#endif

static double uniform(void) {
    static unsigned seed = 12;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

/* A random matrix whose diagonal is twice the sum of the rest of its row, and a random right-hand side. */
static void init(int n, double a[n][n], double b[n], double x[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            a[i][j] = uniform();
            sum += a[i][j];
        }
        a[i][i] = 2.0 * sum;
        b[i] = uniform() - 0.5;
        x[i] = 0.0;
    }
}

/* Improves x until it has converged; returns the number of sweeps. */
static int jacobi(int n, double a[n][n], double b[n], double x[n], double x_new[n]) {
    int sweeps = 0;
    double change = 2.0 * TOLERANCE;
    while (change > TOLERANCE && sweeps < MAX_SWEEPS) {
        change = 0.0;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++)
                if (j != i)
                    sum += a[i][j] * x[j];
            x_new[i] = (b[i] - sum) / a[i][i];
        }
        for (int i = 0; i < n; i++) {
            change = fmax(change, fabs(x_new[i] - x[i]));
            x[i] = x_new[i];
        }
        sweeps++;
    }
    return sweeps;
}

/* The largest element of b - A x. */
static double residual(int n, double a[n][n], double b[n], double x[n]) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double r = b[i];
        for (int j = 0; j < n; j++)
            r -= a[i][j] * x[j];
        largest = fmax(largest, fabs(r));
    }
    return largest;
}

int main(void) {
    double(*a)[N] = malloc(sizeof(double[N][N]));
    double *b = malloc(N * sizeof *b);
    double *x = malloc(N * sizeof *x);
    double *x_new = malloc(N * sizeof *x_new);
    if (!a || !b || !x || !x_new) {
        fprintf(stderr, "jacobi: not enough memory for n = %d\n", N);
        return 1;
    }
    init(N, a, b, x);
    int sweeps = jacobi(N, a, b, x, x_new);
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += x[i];
    printf("n = %d: %d sweeps, residual below 1e-6: %s, sum of x = %.8e\n", N, sweeps,
           residual(N, a, b, x) < 1e-6 ? "yes" : "no", sum);
    free(a);
    free(b);
    free(x);
    free(x_new);
    return 0;
}
