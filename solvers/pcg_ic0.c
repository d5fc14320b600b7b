/* Solves A x = b by the method of conjugate gradients, preconditioned by an incomplete Cholesky factorisation without
 * fill-in, with A symmetric and positive definite, in compressed rows.
 *
 * The factor is computed once, on the host (incomplete.h), of rows and columns sorted by colour: an iteration solves with L and
 * with L', a step for each colour but one, all rows of a colour at once. Only the colouring, which no compiler sees, keeps a
 * row apart from what its colour reads, hence the directives. The main program solves Poisson's equation on a cube of N points
 * a side; the size is set with -DN=...
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "incomplete.h"

#ifndef N
#define N 10
#endif
#ifndef TOLERANCE
#define TOLERANCE 1e-8
#endif
#ifndef MAX_ITERATIONS
#define MAX_ITERATIONS 1000
#endif

/* The iterations, on a scaled system sorted by colour: first[c] is the first row of colour c, and no colour has more than
 * `widest`. scale[i] times a residual is that of the system. Chronopoulos and Gear, 1989: all sums of a step stand in two
 * loops. See pcg_ic0. */
static int iterate(int n, const int *start, const int *middle, const int *column, const real *value, const real *factor,
                   const real *scale, int n_colours, int widest, const int *first, const real *b, real *x,
                   double tolerance, int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
    real *s = malloc(n * sizeof *s), *z = malloc(n * sizeof *z);
    int steps = -1;
    if (r && p && q && s && z) {
        double rr = 0.0, rz = 0.0, bb = 0.0, curvature = 1.0, alpha = 1.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i], own_b = scale[i] * b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            double own_r = scale[i] * sum;
            r[i] = sum;
            z[i] = sum;
            p[i] = 0.0;
            q[i] = 0.0;
            s[i] = 0.0;
            rr += own_r * own_r;
            bb += own_b * own_b;
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        steps = 0;
        history[0] = sqrt(rr);
        while (rr > limit && rr < hopeless && curvature > 0.0 && steps < most) {
            solve_lower(n_colours, widest, first, start, middle, column, factor, z);
            solve_upper(n_colours, widest, first, start, middle, column, factor, z);
            double rz_new = 0.0, zaz = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = 0.0, own_z = z[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * z[column[k]];
                q[i] = sum;
                rz_new += r[i] * own_z;
                zaz += own_z * sum;
            }
            double beta = steps > 0 ? rz_new / rz : 0.0;
            rz = rz_new;
            curvature = zaz - beta * rz / alpha;
            alpha = curvature > 0.0 ? rz / curvature : 0.0;
            rr = 0.0;
            /* Everything is loaded before anything is stored: no load waits for a store to be known to lie elsewhere. */
            for (int i = 0; i < n; i++) {
                double new_p = z[i] + beta * p[i], new_s = q[i] + beta * s[i];
                double new_x = x[i] + alpha * new_p, new_r = r[i] - alpha * new_s, own_r = scale[i] * new_r;
                p[i] = new_p;
                s[i] = new_s;
                x[i] = new_x;
                r[i] = new_r;
                z[i] = new_r;
                rr += own_r * own_r;
            }
            steps++;
            history[steps] = sqrt(rr);
        }
        *broken = !(curvature > 0.0);
    }
    free(r);
    free(p);
    free(q);
    free(s);
    free(z);
    return steps;
}

/* The incomplete factor of a matrix, for pcg_ic0_solve; NULL without memory. */
void *pcg_ic0_prepare(int n, const int *start, const int *column, const real *value) {
    return make_factored(n, start, column, value, 1);
}

void pcg_ic0_free(void *prepared) {
    drop_factored(prepared);
}

/* As pcg_ic0, with the factors at hand. */
int pcg_ic0_solve(const void *prepared, int n, const int *start, const int *column, const real *value, const real *b,
                  real *x, double tolerance, int most, double *history, int *broken) {
    const struct factored *f = prepared;
    const struct coloured *a = &f->a;
    (void)start, (void)column, (void)value;
    *broken = f->failed >= 0 ? -1 - f->failed : 0;
    history[0] = 0.0;
    if (f->failed >= 0)
        return 0;
    scale_system(n, f, 1, b, x);
    int steps = iterate(n, a->start, a->middle, a->column, a->value, f->factor, f->scale, a->n_colours, a->widest,
                        a->first, f->b, f->x, tolerance, most, history, broken);
    unscale_unknowns(n, f, x);
    return steps;
}

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. *broken is
 * set where p.Ap is not positive: A is not positive definite; and to -i where the factorisation meets a pivot that is not
 * positive, in row i, counted from 1. */
int pcg_ic0(int n, const int *start, const int *column, const real *value, const real *b, real *x, double tolerance,
            int most, double *history, int *broken) {
    void *prepared = pcg_ic0_prepare(n, start, column, value);
    int steps = -1;
    *broken = 0;
    if (prepared)
        steps = pcg_ic0_solve(prepared, n, start, column, value, b, x, tolerance, most, history, broken);
    pcg_ic0_free(prepared);
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
        steps = pcg_ic0(n, start, column, value, b, x, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "pcg_ic0: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("pcg_ic0: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
    fprintf(stderr, "true residual %.3e, by the recurrence %.3e\n", left, history[steps] / history[0]);
    free(start);
    free(column);
    free(value);
    free(b);
    free(x);
    free(history);
    return 0;
}
