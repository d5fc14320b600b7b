/* Solves A x = b by preconditioned conjugate gradients, with A symmetric and positive definite, in compressed rows.
 *
 * As cg.c, with the inverse of the diagonal as preconditioner M: the direction is made from u = M r. It pays where the
 * diagonal varies. The main program solves a diffusion problem with absorption on a cube of N points a side; the size is set
 * with -DN=...
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
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. inverse[i] is 1 / a[i][i].
 * *broken is set where p.Ap is not positive: A is not positive definite. */
int pcg(int n, const int *start, const int *column, const real *value, const real *b, real *x,
        const real *inverse, double tolerance, int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *u = malloc(n * sizeof *u);
    real *p = malloc(n * sizeof *p), *s = malloc(n * sizeof *s);
    int steps = -1;
    *broken = 0;
    if (r && u && p && s) {
        double rr = 0.0, ru = 0.0, bb = 0.0, curvature = 1.0, alpha = 1.0, beta = 0.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            u[i] = inverse[i] * sum;
            p[i] = 0.0;
            s[i] = 0.0;
            rr += sum * sum;
            ru += sum * inverse[i] * sum;
            bb += b[i] * b[i];
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        steps = 0;
        history[0] = sqrt(rr);
        while (rr > limit && rr < hopeless && curvature > 0.0 && steps < most) {
            double uau = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = 0.0, old_s = s[i], old_u = u[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * u[column[k]];
                s[i] = sum + beta * old_s;
                uau += old_u * sum;
            }
            curvature = uau - beta * ru / alpha;
            alpha = curvature > 0.0 ? ru / curvature : 0.0;
            double ru_new = 0.0;
            rr = 0.0;
            for (int i = 0; i < n; i++) {
                double new_p = u[i] + beta * p[i], new_x = x[i] + alpha * new_p, new_r = r[i] - alpha * s[i];
                double new_u = inverse[i] * new_r;
                p[i] = new_p;
                x[i] = new_x;
                r[i] = new_r;
                u[i] = new_u;
                rr += new_r * new_r;
                ru_new += new_r * new_u;
            }
            beta = ru_new / ru;
            ru = ru_new;
            steps++;
            history[steps] = sqrt(rr);
        }
        *broken = !(curvature > 0.0);
    }
    free(r);
    free(u);
    free(p);
    free(s);
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
        steps = pcg(n, start, column, value, b, x, inverse, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "pcg: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("pcg: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
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
