/* Solves A x = b by the stabilised method of bi-conjugate gradients, preconditioned from the right by an incomplete LU
 * factorisation without fill-in, with any A in compressed rows that has a full diagonal.
 *
 * Van der Vorst, 1992. The factors are computed once, on the host (incomplete.h), of rows and columns sorted by colour: a
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
 * `widest`. See bicgstab_ilu0. */
static int iterate(int n, const int *start, const int *middle, const int *column, const real *value, const real *factor,
                   int n_colours, int widest, const int *first, const real *b, real *x, double tolerance,
                   int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *shadow = malloc(n * sizeof *shadow), *p = malloc(n * sizeof *p);
    real *s = malloc(n * sizeof *s), *v = malloc(n * sizeof *v), *t = malloc(n * sizeof *t);
    real *along_p = malloc(n * sizeof *along_p), *along_s = malloc(n * sizeof *along_s);
    int steps = -1;
    if (r && shadow && p && s && v && t && along_p && along_s) {
        double rr = 0.0, rho = 0.0, bb = 0.0, beta = 0.0, omega = 0.0, divisor = 1.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            shadow[i] = sum;
            p[i] = 0.0;
            s[i] = 0.0;
            v[i] = 0.0;
            t[i] = 0.0;
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        rho = rr;
        steps = 0;
        history[0] = sqrt(rr);
        while (rr > limit && rr < hopeless && divisor != 0.0 && steps < most) {
            double along = 0.0;
            for (int i = 0; i < n; i++) {
                double new_p = r[i] + beta * (p[i] - omega * v[i]);
                p[i] = new_p;
                along_p[i] = new_p;
            }
            solve_lower(n_colours, widest, first, start, middle, column, factor, along_p);
            solve_upper(n_colours, widest, first, start, middle, column, factor, along_p);
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * along_p[column[k]];
                v[i] = sum;
                along += shadow[i] * sum;
            }
            double alpha = along != 0.0 ? rho / along : 0.0, ss = 0.0, ts = 0.0, tt = 0.0;
            for (int i = 0; i < n; i++) {
                double new_s = r[i] - alpha * v[i];
                s[i] = new_s;
                along_s[i] = new_s;
                ss += new_s * new_s;
            }
            solve_lower(n_colours, widest, first, start, middle, column, factor, along_s);
            solve_upper(n_colours, widest, first, start, middle, column, factor, along_s);
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * along_s[column[k]];
                t[i] = sum;
                ts += sum * s[i];
                tt += sum * sum;
            }
            double rho_new = 0.0;
            /* Where s is small enough, half a step is the last one. */
            omega = ss > limit && tt > 0.0 ? ts / tt : 0.0;
            rr = 0.0;
            for (int i = 0; i < n; i++) {
                x[i] += alpha * along_p[i] + omega * along_s[i];
                r[i] = s[i] - omega * t[i];
                rr += r[i] * r[i];
                rho_new += shadow[i] * r[i];
            }
            divisor = along != 0.0 && omega != 0.0 ? rho_new : 0.0;
            beta = divisor != 0.0 ? rho_new / rho * (alpha / omega) : 0.0;
            rho = rho_new;
            steps++;
            history[steps] = sqrt(rr);
        }
        *broken = divisor == 0.0;
    }
    free(r);
    free(shadow);
    free(p);
    free(s);
    free(v);
    free(t);
    free(along_p);
    free(along_s);
    return steps;
}

/* The incomplete factors of a matrix, for bicgstab_ilu0_solve; NULL without memory. */
void *bicgstab_ilu0_prepare(int n, const int *start, const int *column, const real *value) {
    return make_factored(n, start, column, value, 0);
}

void bicgstab_ilu0_free(void *prepared) {
    drop_factored(prepared);
}

/* As bicgstab_ilu0, with the factors at hand. */
int bicgstab_ilu0_solve(const void *prepared, int n, const int *start, const int *column, const real *value, const real *b,
                        real *x, double tolerance, int most, double *history, int *broken) {
    const struct factored *f = prepared;
    const struct coloured *a = &f->a;
    (void)start, (void)column, (void)value;
    *broken = f->failed >= 0 ? -1 - f->failed : 0;
    history[0] = 0.0;
    if (f->failed >= 0)
        return 0;
    scale_system(n, f, 0, b, x);
    int steps = iterate(n, a->start, a->middle, a->column, a->value, f->factor, a->n_colours, a->widest,
                        a->first, f->b, f->x, tolerance, most, history, broken);
    unscale_unknowns(n, f, x);
    return steps;
}

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. *broken is
 * set where a division by zero would have been next; and to -i where the factorisation meets a pivot of zero in row i,
 * counted from 1. */
int bicgstab_ilu0(int n, const int *start, const int *column, const real *value, const real *b, real *x,
                  double tolerance, int most, double *history, int *broken) {
    void *prepared = bicgstab_ilu0_prepare(n, start, column, value);
    int steps = -1;
    *broken = 0;
    if (prepared)
        steps = bicgstab_ilu0_solve(prepared, n, start, column, value, b, x, tolerance, most, history, broken);
    bicgstab_ilu0_free(prepared);
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
        steps = bicgstab_ilu0(n, start, column, value, b, x, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "bicgstab_ilu0: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("bicgstab_ilu0: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
    fprintf(stderr, "true residual %.3e, by the recurrence %.3e\n", left, history[steps] / history[0]);
    free(start);
    free(column);
    free(value);
    free(b);
    free(x);
    free(history);
    return 0;
}
