/* Solves A x = b by Jacobi's method, with A in compressed rows and dominated by its diagonal; the residual is looked at after
 * every tenth sweep.
 *
 * A sweep computes each unknown from the others of the sweep before. Blocks that do not wait for each other between two
 * sweeps (sync = "asynchronous") take what has arrived of them, which converges where |D^-1 (A - D)| has a spectral radius
 * below 1 (Chazan and Miranker). The main program solves a diffusion problem with absorption on a cube of N points a side;
 * the size is set with -DN=...
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10
#endif
#ifndef TOLERANCE
#define TOLERANCE 1e-8
#endif
#ifndef MAX_ITERATIONS
#define MAX_ITERATIONS 1000
#endif

/* What matrices and vectors are made of; -DSINGLE halves what an iteration moves. Sums are double in any case. */
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif

/* Sweeps between two residuals. */
#define SWEEPS 10

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. An iteration is SWEEPS sweeps, and history[k] the residual after k of them.
 * inverse[i] is 1 / a[i][i]. Nothing can break it, so that *broken stays 0. */
int jacobi_sweeps(int n, const int *start, const int *column, const real *value, const real *b, real *x,
                  const real *inverse, double tolerance, int most, double *history, int *broken) {
    real *next = malloc(n * sizeof *next);
    int steps = -1;
    *broken = 0;
    if (next) {
        double rr = 0.0, bb = 0.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        steps = 0;
        history[0] = sqrt(rr);
        while (rr > limit && rr < hopeless && steps < most) {
            rr = 0.0;
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                for (int i = 0; i < n; i++) {
                    double sum = b[i];
                    for (int k = start[i]; k < start[i + 1]; k++)
                        if (column[k] != i)
                            sum -= value[k] * x[column[k]];
                    next[i] = inverse[i] * sum;
                }
                for (int i = 0; i < n; i++)
                    x[i] = next[i];
            }
            for (int i = 0; i < n; i++) {
                double sum = b[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum -= value[k] * x[column[k]];
                rr += sum * sum;
            }
            steps++;
            history[steps] = sqrt(rr);
        }
    }
    free(next);
    return steps;
}

/* The example: the 7-point Laplacian on a cube of m points a side, with an absorption that varies. */
static void poisson(int m, int *start, int *column, real *value) {
    int n = m * m * m, count = 0;
    for (int i = 0; i < n; i++) {
        int at[3] = {i / (m * m), i / m % m, i % m}, stride[3] = {m * m, m, 1};
        start[i] = count;
        for (int d = 0; d < 3; d++)
            if (at[d] > 0) {
                column[count] = i - stride[d];
                value[count++] = -1.0;
            }
        column[count] = i;
        value[count++] = (6.0 + i % 5);
        for (int d = 2; d >= 0; d--)
            if (at[d] < m - 1) {
                column[count] = i + stride[d];
                value[count++] = -1.0;
            }
    }
    start[n] = count;
}

/* || b - A x || / || b || */
static double residual(int n, const int *start, const int *column, const real *value, const real *b,
                       const real *x) {
    double rr = 0.0, bb = 0.0;
    for (int i = 0; i < n; i++) {
        double r = b[i];
        for (int k = start[i]; k < start[i + 1]; k++)
            r -= (double)value[k] * x[column[k]];
        rr += r * r;
        bb += (double)b[i] * b[i];
    }
    return sqrt(rr / bb);
}

int main(void) {
    int n = N * N * N, broken = 0, steps = -1;
    int *start = malloc((n + 1) * sizeof *start), *column = malloc(7 * (size_t)n * sizeof *column);
    real *value = malloc(7 * (size_t)n * sizeof *value), *b = malloc(n * sizeof *b), *x = calloc(n, sizeof *x);
    double *history = malloc((MAX_ITERATIONS + 1) * sizeof *history);
    real *inverse = malloc(n * sizeof *inverse);
    if (start && column && value && b && x && history && inverse) {
        poisson(N, start, column, value);
        for (int i = 0; i < n; i++) {
            b[i] = 1.0;
            inverse[i] = 1.0 / (6.0 + i % 5);
        }
        steps = jacobi_sweeps(n, start, column, value, b, x, inverse, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "jacobi_sweeps: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("jacobi_sweeps: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
    fprintf(stderr, "true residual %.3e, by the recurrence %.3e\n", left, history[steps] / history[0]);
    free(start);
    free(column);
    free(value);
    free(b);
    free(x);
    free(history);
    free(inverse);
    return 0;
}
