/* Solves A x = b by the method of conjugate gradients, with A symmetric and positive definite, in compressed rows.
 *
 * Hestenes and Stiefel, 1952, in the form of Chronopoulos and Gear, 1989: what a product of A with the direction p would be
 * is s = A r + beta s, and p.Ap comes from r.Ar, so that an iteration waits twice and not three times: for the sum r.Ar of
 * a product, and for the sum r.r of an update of p, x and r in one pass. The main program solves Poisson's equation on a
 * cube of N points a side, with a source of 1; the size is set with -DN=...
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

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. *broken is
 * set where p.Ap is not positive: A is not positive definite. */
int cg(int n, const int *start, const int *column, const real *value, const real *b, real *x, double tolerance,
       int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p), *s = malloc(n * sizeof *s);
    int steps = -1;
    *broken = 0;
    if (r && p && s) {
        double rr = 0.0, bb = 0.0, curvature = 1.0, alpha = 1.0, beta = 0.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            p[i] = 0.0;
            s[i] = 0.0;
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        steps = 0;
        history[0] = sqrt(rr);
        while (rr > limit && rr < hopeless && curvature > 0.0 && steps < most) {
            double rar = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = 0.0, old_s = s[i], old_r = r[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * r[column[k]];
                s[i] = sum + beta * old_s;
                rar += old_r * sum;
            }
            curvature = rar - beta * rr / alpha;
            alpha = curvature > 0.0 ? rr / curvature : 0.0;
            double rr_new = 0.0;
            /* Everything is loaded before anything is stored: no load waits for a store to be known to lie elsewhere. */
            for (int i = 0; i < n; i++) {
                double new_p = r[i] + beta * p[i], new_x = x[i] + alpha * new_p, new_r = r[i] - alpha * s[i];
                p[i] = new_p;
                x[i] = new_x;
                r[i] = new_r;
                rr_new += new_r * new_r;
            }
            beta = rr_new / rr;
            rr = rr_new;
            steps++;
            history[steps] = sqrt(rr);
        }
        *broken = !(curvature > 0.0);
    }
    free(r);
    free(p);
    free(s);
    return steps;
}

/* The example: the 7-point Laplacian on a cube of m points a side. */
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
        value[count++] = 6.0;
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
    if (start && column && value && b && x && history) {
        poisson(N, start, column, value);
        for (int i = 0; i < n; i++)
            b[i] = 1.0;
        steps = cg(n, start, column, value, b, x, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "cg: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("cg: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
    fprintf(stderr, "true residual %.3e, by the recurrence %.3e\n", left, history[steps] / history[0]);
    free(start);
    free(column);
    free(value);
    free(b);
    free(x);
    free(history);
    return 0;
}
