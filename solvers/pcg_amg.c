/* Solves A x = b by the method of conjugate gradients, preconditioned by a cycle of algebraic multigrid, with A symmetric
 * and positive definite, in compressed rows.
 *
 * Smoothed aggregation (Vanek, Mandel and Brezina, 1996): unknowns that are strongly coupled become one of the next level,
 * level after level, until so few are left that the inverse of their matrix is at hand. What interpolates between two levels
 * is constant on each aggregate, smoothed by a step of Jacobi's method. That is done once, on the host. An iteration goes
 * down the levels and up again, with a step of Jacobi's method before and after each coarser one, weighted by a bound of
 * the largest eigenvalue, so that the cycle is symmetric and positive definite. The levels stand behind one another in the
 * same arrays: the finest first, then the others, which no compiler sees in the numbers, hence the directives. The main
 * program solves Poisson's equation on a cube of N points a side; the size is set with -DN=...
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "amg.h"

#ifndef N
#define N 10
#endif
#ifndef TOLERANCE
#define TOLERANCE 1e-8
#endif
#ifndef MAX_ITERATIONS
#define MAX_ITERATIONS 1000
#endif
/* So many sums share a row of a coarser level, which has dozens of entries. */
#define LANES 8

/* The iterations, with the levels' matrices C (but the finest), the interpolations P from the next level and their transposes
 * R, as one matrix each; first[l] is the first unknown of level l, and `rest` where the last begins, which has n_last
 * unknowns. direct is its inverse, of n_direct rows. inverse[i] is what Jacobi's method has for 1 / a[i][i]. See pcg_amg. */
static int iterate(int n, const int *start, const int *column, const real *value, const real *b, real *x, int total,
                   int n_levels, int widest, const int *first, const int *c_start, const int *c_column,
                   const part *c_value, const int *p_start, const int *p_column, const part *p_value, const int *r_start,
                   const int *r_column, const part *r_value, const real *inverse, int rest, int n_last, int n_direct,
                   const real *direct, double tolerance, int most, double *history, int *broken) {
    real *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q), *f = calloc(total, sizeof *f);
    real *u = calloc(total, sizeof *u), *t = calloc(total, sizeof *t), *e = calloc(total, sizeof *e);
    double *shares = calloc((size_t)LANES * widest + 1, sizeof *shares);
    int steps = -1;
    if (p && q && f && u && t && e && shares) {
        double rr = 0.0, rz = 0.0, bb = 0.0, curvature = 1.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            f[i] = sum;
            u[i] = inverse[i] * sum;
            p[i] = 0.0;
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        steps = 0;
        history[0] = sqrt(rr);
        while (rr > limit && rr < hopeless && curvature > 0.0 && steps < most) {
            for (int i = 0; i < n; i++) {
                double sum = f[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum -= value[k] * u[column[k]];
                t[i] = sum;
            }
            for (int l = 1; l < n_levels - 1; l++) {
#pragma rt parallel
                for (int m = 0; m < LANES * widest; m++)
                    if (m < LANES * (first[l + 1] - first[l])) {
                        int i = first[l] - n + m / LANES;
                        double sum = 0.0;
                        for (int k = r_start[i] + m % LANES; k < r_start[i + 1]; k += LANES)
                            sum += r_value[k] * t[r_column[k]];
                        shares[m] = sum;
                    }
#pragma rt parallel
                for (int m = 0; m < widest; m++)
                    if (m < first[l + 1] - first[l]) {
                        double sum = 0.0;
                        for (int k = 0; k < LANES; k++)
                            sum += shares[LANES * m + k];
                        f[first[l] + m] = sum;
                        u[first[l] + m] = inverse[first[l] + m] * sum;
                    }
#pragma rt parallel
                for (int m = 0; m < LANES * widest; m++)
                    if (m < LANES * (first[l + 1] - first[l])) {
                        int i = first[l] - n + m / LANES;
                        double sum = 0.0;
                        for (int k = c_start[i] + m % LANES; k < c_start[i + 1]; k += LANES)
                            sum += c_value[k] * u[c_column[k]];
                        shares[m] = sum;
                    }
#pragma rt parallel
                for (int m = 0; m < widest; m++)
                    if (m < first[l + 1] - first[l]) {
                        double sum = f[first[l] + m];
                        for (int k = 0; k < LANES; k++)
                            sum -= shares[LANES * m + k];
                        t[first[l] + m] = sum;
                    }
            }
#pragma rt parallel
            for (int m = 0; m < LANES * widest; m++)
                if (m < LANES * n_last) {
                    int i = rest - n + m / LANES;
                    double sum = 0.0;
                    for (int k = r_start[i] + m % LANES; k < r_start[i + 1]; k += LANES)
                        sum += r_value[k] * t[r_column[k]];
                    shares[m] = sum;
                }
#pragma rt parallel
            for (int m = 0; m < widest; m++)
                if (m < n_last) {
                    double sum = 0.0;
                    for (int k = 0; k < LANES; k++)
                        sum += shares[LANES * m + k];
                    f[rest + m] = sum;
                    e[rest + m] = inverse[rest + m] * sum;
                }
            for (int m = 0; m < n_direct; m++) {
                double sum = 0.0;
                for (int k = 0; k < n_direct; k++)
                    sum += direct[k * n_direct + m] * f[rest + k];
                e[rest + m] = sum;
            }
            for (int s = 2; s < n_levels; s++) {
#pragma rt parallel
                for (int m = 0; m < widest; m++)
                    if (m < first[n_levels - s + 1] - first[n_levels - s]) {
                        int i = first[n_levels - s] + m;
                        double sum = u[i];
                        for (int k = p_start[i]; k < p_start[i + 1]; k++)
                            sum += p_value[k] * e[p_column[k]];
                        u[i] = sum;
                    }
#pragma rt parallel
                for (int m = 0; m < LANES * widest; m++)
                    if (m < LANES * (first[n_levels - s + 1] - first[n_levels - s])) {
                        int i = first[n_levels - s] - n + m / LANES;
                        double sum = 0.0;
                        for (int k = c_start[i] + m % LANES; k < c_start[i + 1]; k += LANES)
                            sum += c_value[k] * u[c_column[k]];
                        shares[m] = sum;
                    }
#pragma rt parallel
                for (int m = 0; m < widest; m++)
                    if (m < first[n_levels - s + 1] - first[n_levels - s]) {
                        int i = first[n_levels - s] + m;
                        double sum = f[i];
                        for (int k = 0; k < LANES; k++)
                            sum -= shares[LANES * m + k];
                        e[i] = u[i] + inverse[i] * sum;
                    }
            }
            for (int i = 0; i < n; i++) {
                double sum = u[i];
                for (int k = p_start[i]; k < p_start[i + 1]; k++)
                    sum += p_value[k] * e[p_column[k]];
                u[i] = sum;
            }
            double rz_new = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = f[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum -= value[k] * u[column[k]];
                q[i] = u[i] + inverse[i] * sum;
                rz_new += f[i] * q[i];
            }
            double beta = steps > 0 ? rz_new / rz : 0.0;
            rz = rz_new;
            for (int i = 0; i < n; i++)
                p[i] = q[i] + beta * p[i];
            curvature = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * p[column[k]];
                q[i] = sum;
                curvature += p[i] * sum;
            }
            double alpha = curvature > 0.0 ? rz / curvature : 0.0;
            rr = 0.0;
            for (int i = 0; i < n; i++) {
                double new_x = x[i] + alpha * p[i], new_f = f[i] - alpha * q[i], new_u = inverse[i] * new_f;
                x[i] = new_x;
                f[i] = new_f;
                u[i] = new_u;
                rr += new_f * new_f;
            }
            steps++;
            history[steps] = sqrt(rr);
        }
        *broken = !(curvature > 0.0);
    }
    free(p);
    free(q);
    free(f);
    free(u);
    free(t);
    free(e);
    free(shares);
    return steps;
}

/* As pcg_amg, with the levels at hand. */
int pcg_amg_solve(const void *prepared, int n, const int *start, const int *column, const real *value, const real *b,
                  real *x, double tolerance, int most, double *history, int *broken) {
    const struct prepared *m = prepared;
    *broken = m->failed >= 0 ? -1 - m->failed : 0;
    history[0] = 0.0;
    if (m->failed >= 0)
        return 0;
    return iterate(n, start, column, value, b, x, m->total, m->n_levels, m->widest, m->first, m->c_start, m->c_column,
                   m->c_value, m->p_start, m->p_column, m->p_value, m->r_start, m->r_column, m->r_value, m->inverse,
                   m->rest, m->n_last, m->n_direct, m->direct, tolerance, most, history, broken);
}

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. *broken is
 * set where p.Ap is not positive: A is not positive definite; and to -i where the diagonal is not positive in row i, counted
 * from 1. */
int pcg_amg(int n, const int *start, const int *column, const real *value, const real *b, real *x, double tolerance,
            int most, double *history, int *broken) {
    void *prepared = pcg_amg_prepare(n, start, column, value);
    int steps = -1;
    *broken = 0;
    if (prepared)
        steps = pcg_amg_solve(prepared, n, start, column, value, b, x, tolerance, most, history, broken);
    pcg_amg_free(prepared);
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
        steps = pcg_amg(n, start, column, value, b, x, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "pcg_amg: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("pcg_amg: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
    fprintf(stderr, "true residual %.3e, by the recurrence %.3e\n", left, history[steps] / history[0]);
    free(start);
    free(column);
    free(value);
    free(b);
    free(x);
    free(history);
    return 0;
}
