/* Solves A x = b by the method of conjugate gradients, with A symmetric and positive definite, in compressed rows, where the
 * vectors find room on chip: an iteration waits once.
 *
 * Ghysels and Vanroose, 2014: beside r stands w = A r, beside p stand s = A p and z = A s, so that the sums r.r and r.w of an
 * iteration, and the product A w of the next one, need nothing but one update of all vectors. What this rounds away is
 * made good: r, w, s and z are computed anew after every RENEWED iterations, as Cools and others have it, 2018, and where
 * the residual seems small enough, so that it ends with the true one. The main program solves Poisson's equation on a cube of
 * N points a side, with a source of 1; the size is set with -DN=...
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

#ifndef RENEWED
#define RENEWED 100
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
int cg_pipelined(int n, const int *start, const int *column, const real *value, const real *b, real *x,
                 double tolerance, int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p), *s = malloc(n * sizeof *s), *z = malloc(n * sizeof *z);
    real *w = malloc(n * sizeof *w), *next = malloc(n * sizeof *next);
    real *copy = malloc(n * sizeof *copy);
    int steps = -1;
    *broken = 0;
    if (r && p && s && z && w && next && copy) {
        double rr = 0.0, rw = 0.0, bb = 0.0, curvature = 1.0, alpha = 1.0, beta = 0.0;
        int since = 0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            p[i] = 0.0;
            s[i] = 0.0;
            z[i] = 0.0;
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * r[column[k]];
            w[i] = sum;
            rw += sum * r[i];
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        steps = 0;
        history[0] = sqrt(rr);
        while (rr > limit && rr < hopeless && curvature > 0.0 && steps < most) {
            curvature = rw - beta * rr / alpha;
            alpha = curvature > 0.0 ? rr / curvature : 0.0;
            double rr_new = 0.0, rw_new = 0.0;
            /* Everything is loaded before anything is stored: no load waits for a store to be known to lie elsewhere. */
            for (int i = 0; i < n; i++) {
                double sum = 0.0, old_r = r[i], old_w = w[i], old_z = z[i], old_s = s[i], old_p = p[i], old_x = x[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * w[column[k]];
                double new_z = sum + beta * old_z, new_s = old_w + beta * old_s, new_p = old_r + beta * old_p;
                double new_r = old_r - alpha * new_s, new_w = old_w - alpha * new_z;
                z[i] = new_z;
                s[i] = new_s;
                p[i] = new_p;
                x[i] = old_x + alpha * new_p;
                r[i] = new_r;
                next[i] = new_w;
                rr_new += new_r * new_r;
                rw_new += new_r * new_w;
            }
            real *swap = w;
            w = next;
            next = swap;
            beta = rr_new / rr;
            rr = rr_new;
            rw = rw_new;
            steps++;
            since++;
            if (since == RENEWED || rr <= limit) {
                since = 0;
                double rr_true = 0.0, rw_true = 0.0;
                /* What rows of others ask for is copied, so that the vectors themselves stay where they are. */
                for (int i = 0; i < n; i++) {
                    next[i] = x[i];
                    copy[i] = p[i];
                }
                for (int i = 0; i < n; i++) {
                    double sum = b[i], along = 0.0;
                    for (int k = start[i]; k < start[i + 1]; k++) {
                        sum -= value[k] * next[column[k]];
                        along += value[k] * copy[column[k]];
                    }
                    r[i] = sum;
                    s[i] = along;
                    rr_true += sum * sum;
                }
                for (int i = 0; i < n; i++) {
                    next[i] = r[i];
                    copy[i] = s[i];
                }
                for (int i = 0; i < n; i++) {
                    double sum = 0.0, along = 0.0;
                    for (int k = start[i]; k < start[i + 1]; k++) {
                        sum += value[k] * next[column[k]];
                        along += value[k] * copy[column[k]];
                    }
                    w[i] = sum;
                    z[i] = along;
                    rw_true += sum * r[i];
                }
                rr = rr_true;
                rw = rw_true;
            }
            history[steps] = sqrt(rr);
        }
        *broken = !(curvature > 0.0);
    }
    free(r);
    free(p);
    free(s);
    free(z);
    free(w);
    free(next);
    free(copy);
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
        steps = cg_pipelined(n, start, column, value, b, x, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "cg_pipelined: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("cg_pipelined: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
    fprintf(stderr, "true residual %.3e, by the recurrence %.3e\n", left, history[steps] / history[0]);
    free(start);
    free(column);
    free(value);
    free(b);
    free(x);
    free(history);
    return 0;
}
