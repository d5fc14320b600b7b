/* Solves A x = b by the method of generalised minimal residuals, started anew every `restart` iterations, preconditioned
 * from the right by an incomplete LU factorisation without fill-in, with any A in compressed rows that has a full diagonal.
 *
 * Saad and Schultz, 1986. The factors are computed once, on the host (incomplete.h), of rows and columns sorted by colour: a
 * product is one with the inverse of L U first, a step for each colour but one and each triangle, all rows of a colour at once.
 * Only the colouring, which no compiler sees, keeps a row apart from what its colour reads, hence the directives. The main
 * program solves a problem of diffusion with a wind on a cube of N points a side; the size is set with -DN=...
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
#ifndef WIND
#define WIND 0.4
#endif

/* The iterations, on a scaled system sorted by colour: first[c] is the first row of colour c, and no colour has more than
 * `widest`. See gmres_ilu0. */
static int iterate(int n, const int *start, const int *middle, const int *column, const real *value, const real *factor,
                   int n_colours, int widest, const int *first, const real *b, real *x, int restart, double tolerance,
                   int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *w = malloc(n * sizeof *w);
    real(*basis)[n] = malloc((restart + 1) * sizeof *basis);
    double *h = malloc(restart * (restart + 1) / 2 * sizeof *h);
    double *along = malloc((restart + 1) * sizeof *along), *again = malloc((restart + 1) * sizeof *again);
    double *cosine = malloc(restart * sizeof *cosine), *sine = malloc(restart * sizeof *sine);
    double *g = malloc((restart + 1) * sizeof *g), *y = malloc(restart * sizeof *y);
    real *z = malloc(n * sizeof *z);
    int steps = -1;
    if (r && w && basis && h && along && again && cosine && sine && g && y && z) {
        double rr = 0.0, bb = 0.0, pivot = 1.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        double limit = tolerance * sqrt(bb), norm = sqrt(rr);
        steps = 0;
        history[0] = norm;
        while (norm > limit && pivot != 0.0 && steps < most) {
            int j = 0, at = 0;
            for (int i = 0; i < n; i++) {
                double own = r[i] / norm;
                basis[0][i] = own;
                z[i] = own;
            }
            g[0] = norm;
            while (norm > limit && pivot != 0.0 && j < restart && steps < most) {
                double ww = 0.0;
                solve_lower(n_colours, widest, first, start, middle, column, factor, z);
                solve_upper(n_colours, widest, first, start, middle, column, factor, z);
                for (int i = 0; i < n; i++) {
                    double sum = 0.0;
                    for (int k = start[i]; k < start[i + 1]; k++)
                        sum += value[k] * z[column[k]];
                    w[i] = sum;
                }
                for (int k = 0; k <= j; k++) {
                    along[k] = 0.0;
                    for (int i = 0; i < n; i++)
                        along[k] += basis[k][i] * w[i];
                }
                for (int k = 0; k <= j; k++)
                    for (int i = 0; i < n; i++)
                        w[i] -= along[k] * basis[k][i];
                for (int k = 0; k <= j; k++) {
                    again[k] = 0.0;
                    for (int i = 0; i < n; i++)
                        again[k] += basis[k][i] * w[i];
                }
                for (int k = 0; k <= j; k++)
                    for (int i = 0; i < n; i++)
                        w[i] -= again[k] * basis[k][i];
                for (int i = 0; i < n; i++)
                    ww += w[i] * w[i];
                double next = sqrt(ww);
                for (int i = 0; i < n; i++) {
                    double own = next > 0.0 ? w[i] / next : 0.0;
                    basis[j + 1][i] = own;
                    z[i] = own;
                }
                for (int k = 0; k <= j; k++)
                    h[at + k] = along[k] + again[k];
                for (int k = 0; k < j; k++) {
                    double turned = cosine[k] * h[at + k] + sine[k] * h[at + k + 1];
                    h[at + k + 1] = cosine[k] * h[at + k + 1] - sine[k] * h[at + k];
                    h[at + k] = turned;
                }
                pivot = sqrt(h[at + j] * h[at + j] + ww);
                cosine[j] = pivot > 0.0 ? h[at + j] / pivot : 0.0;
                sine[j] = pivot > 0.0 ? next / pivot : 1.0;
                h[at + j] = pivot > 0.0 ? pivot : 1.0;
                g[j + 1] = -sine[j] * g[j];
                g[j] = cosine[j] * g[j];
                norm = fabs(g[j + 1]);
                at += j + 1;
                j++;
                steps++;
                history[steps] = norm;
            }
            for (int l = 0; l < j; l++) {
                double sum = g[j - 1 - l];
                for (int k = j - l; k < j; k++)
                    sum -= h[k * (k + 1) / 2 + j - 1 - l] * y[k];
                y[j - 1 - l] = sum / h[(j - 1 - l) * (j - l) / 2 + j - 1 - l];
            }
            for (int i = 0; i < n; i++)
                z[i] = 0.0;
            for (int k = 0; k < j; k++)
                for (int i = 0; i < n; i++)
                    z[i] += basis[k][i] * y[k];
            solve_lower(n_colours, widest, first, start, middle, column, factor, z);
            solve_upper(n_colours, widest, first, start, middle, column, factor, z);
            for (int i = 0; i < n; i++)
                x[i] += z[i];
            rr = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = b[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum -= value[k] * x[column[k]];
                r[i] = sum;
                rr += sum * sum;
            }
            norm = sqrt(rr);
        }
        *broken = pivot == 0.0;
    }
    free(r);
    free(w);
    free(z);
    free(basis);
    free(h);
    free(along);
    free(again);
    free(cosine);
    free(sine);
    free(g);
    free(y);
    return steps;
}

/* The incomplete factors of a matrix, for gmres_ilu0_solve; NULL without memory. */
void *gmres_ilu0_prepare(int n, const int *start, const int *column, const real *value) {
    return make_factored(n, start, column, value, 0);
}

void gmres_ilu0_free(void *prepared) {
    drop_factored(prepared);
}

/* As gmres_ilu0, with the factors at hand. */
int gmres_ilu0_solve(const void *prepared, int n, const int *start, const int *column, const real *value, const real *b,
                     real *x, int restart, double tolerance, int most, double *history, int *broken) {
    const struct factored *f = prepared;
    const struct coloured *a = &f->a;
    (void)start, (void)column, (void)value;
    *broken = f->failed >= 0 ? -1 - f->failed : 0;
    history[0] = 0.0;
    if (f->failed >= 0)
        return 0;
    scale_system(n, f, 0, b, x);
    int steps = iterate(n, a->start, a->middle, a->column, a->value, f->factor, a->n_colours, a->widest,
                        a->first, f->b, f->x, restart, tolerance, most, history, broken);
    unscale_unknowns(n, f, x);
    return steps;
}

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. *broken is
 * set where A is singular; and to -i where the factorisation meets a pivot of zero in row i,
 * counted from 1. */
int gmres_ilu0(int n, const int *start, const int *column, const real *value, const real *b, real *x, int restart,
               double tolerance, int most, double *history, int *broken) {
    void *prepared = gmres_ilu0_prepare(n, start, column, value);
    int steps = -1;
    *broken = 0;
    if (prepared)
        steps = gmres_ilu0_solve(prepared, n, start, column, value, b, x, restart, tolerance, most, history, broken);
    gmres_ilu0_free(prepared);
    return steps;
}

/* The example: diffusion on a cube of m points a side, with a wind of WIND along each axis. */
static void diffusion(int m, int *start, int *column, real *value) {
    int n = m * m * m, count = 0;
    for (int i = 0; i < n; i++) {
        int at[3] = {i / (m * m), i / m % m, i % m}, stride[3] = {m * m, m, 1};
        start[i] = count;
        for (int d = 0; d < 3; d++)
            if (at[d] > 0) {
                column[count] = i - stride[d];
                value[count++] = -1.0 - WIND;
            }
        column[count] = i;
        value[count++] = 6.0;
        for (int d = 2; d >= 0; d--)
            if (at[d] < m - 1) {
                column[count] = i + stride[d];
                value[count++] = -1.0 + WIND;
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
        diffusion(N, start, column, value);
        for (int i = 0; i < n; i++)
            b[i] = 1.0;
        steps = gmres_ilu0(n, start, column, value, b, x, 20, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "gmres_ilu0: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("gmres_ilu0: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
    fprintf(stderr, "true residual %.3e, by the recurrence %.3e\n", left, history[steps] / history[0]);
    free(start);
    free(column);
    free(value);
    free(b);
    free(x);
    free(history);
    return 0;
}
