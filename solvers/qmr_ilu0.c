/* Solves A x = b by the quasi-minimal residual method without look-ahead, preconditioned from the right by an incomplete LU
 * factorisation without fill-in, with any A in compressed rows that has a full diagonal.
 *
 * Freund and Nachtigal, 1991; the form with coupled two-term recurrences (Templates for the Solution of Linear Systems,
 * 1994, section 2.3.8). The factors are computed once, on the host (incomplete.h), of rows and columns sorted by colour. The
 * method needs products with A and with its transpose, and both systems solved, that of L U and that of its transpose, which
 * is made once, too: a step for each colour but one and each triangle, all rows of a colour at once. Only the colouring, which
 * no compiler sees, keeps a row apart from what its colour reads, hence the directives. The main program solves a problem of
 * diffusion with a wind on a cube of N points a side; the size is set with -DN=...
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

/* The iterations, on a scaled system sorted by colour, and its transpose (t_): first[c] is the first row of colour c, and no
 * colour has more than `widest`. The transposed residual is over `scale`. See qmr_ilu0. */
static int iterate(int n, const int *start, const int *middle, const int *column, const real *value, const real *factor,
                   const int *t_start, const int *t_middle, const int *t_column, const real *t_value,
                   const real *t_factor, const real *scale, int n_colours, int widest, const int *first, const real *b,
                   real *x, double tolerance, int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
    real *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q), *ap = malloc(n * sizeof *ap);
    real *d = malloc(n * sizeof *d), *s = malloc(n * sizeof *s);
    real *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    int steps = -1;
    if (r && v && w && p && q && ap && d && s && y && z) {
        double rr = 0.0, zz = 0.0, vv = 0.0, bb = 0.0, gamma = 1.0, eta = -1.0, theta = 0.0;
        double epsilon = 1.0, xi = 0.0, rho = 0.0, divisor = 1.0;
#pragma rt region
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            v[i] = sum;
            w[i] = sum / scale[i];
            p[i] = 0.0;
            q[i] = 0.0;
            d[i] = 0.0;
            s[i] = 0.0;
            z[i] = sum / scale[i];
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        solve_lower(n_colours, widest, first, t_start, t_middle, t_column, t_factor, z);
        solve_upper(n_colours, widest, first, t_start, t_middle, t_column, t_factor, z);
        for (int i = 0; i < n; i++)
            zz += z[i] * z[i];
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        vv = rr;
        rho = sqrt(vv);
        xi = sqrt(zz);
        steps = 0;
        history[0] = sqrt(rr);
        while (rr > limit && rr < hopeless && divisor != 0.0 && steps < most) {
            double delta = 0.0;
            for (int i = 0; i < n; i++) {
                double new_v = v[i] / rho, new_z = z[i] / xi;
                v[i] = new_v;
                y[i] = new_v;
                w[i] /= xi;
                z[i] = new_z;
                delta += new_z * new_v;
            }
            solve_lower(n_colours, widest, first, start, middle, column, factor, y);
            solve_upper(n_colours, widest, first, start, middle, column, factor, y);
            double from_p = steps > 0 ? xi * delta / epsilon : 0.0, from_q = steps > 0 ? rho * delta / epsilon : 0.0;
            for (int i = 0; i < n; i++) {
                p[i] = y[i] - from_p * p[i];
                q[i] = z[i] - from_q * q[i];
            }
            epsilon = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * p[column[k]];
                ap[i] = sum;
                epsilon += q[i] * sum;
            }
            double beta = delta != 0.0 ? epsilon / delta : 0.0;
            vv = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int k = t_start[i]; k < t_start[i + 1]; k++)
                    sum += t_value[k] * q[t_column[k]];
                double new_w = sum - beta * w[i], new_v = ap[i] - beta * v[i];
                w[i] = new_w;
                z[i] = new_w;
                v[i] = new_v;
                vv += new_v * new_v;
            }
            solve_lower(n_colours, widest, first, t_start, t_middle, t_column, t_factor, z);
            solve_upper(n_colours, widest, first, t_start, t_middle, t_column, t_factor, z);
            zz = 0.0;
            for (int i = 0; i < n; i++)
                zz += z[i] * z[i];
            double rho_old = rho, gamma_old = gamma, theta_old = theta;
            rho = sqrt(vv);
            xi = sqrt(zz);
            theta = beta != 0.0 ? rho / (gamma_old * fabs(beta)) : 0.0;
            gamma = 1.0 / sqrt(1.0 + theta * theta);
            double turn = gamma / gamma_old, kept = theta_old * gamma * theta_old * gamma;
            eta = beta != 0.0 ? -eta * rho_old / beta * turn * turn : 0.0;
            rr = 0.0;
            for (int i = 0; i < n; i++) {
                d[i] = eta * p[i] + kept * d[i];
                s[i] = eta * ap[i] + kept * s[i];
                x[i] += d[i];
                r[i] -= s[i];
                rr += r[i] * r[i];
            }
            divisor = delta != 0.0 && epsilon != 0.0 ? (rr > limit ? fmin(rho, xi) : 1.0) : 0.0;
            steps++;
            history[steps] = sqrt(rr);
        }
#pragma rt end
        *broken = divisor == 0.0;
    }
    free(r);
    free(v);
    free(w);
    free(p);
    free(q);
    free(ap);
    free(d);
    free(s);
    free(y);
    free(z);
    return steps;
}

/* Factors, and the transposes of the scaled matrix and of them. */
struct prepared {
    struct factored *f;
    int *start, *middle, *column;
    real *value, *factor;
};

/* Transposes a matrix and its factors; t->start has n + 1 zeros. */
static void transpose(int n, const struct coloured *a, const real *factor, struct prepared *t) {
    for (int k = 0; k < a->start[n]; k++)
        t->start[a->column[k] + 1]++;
    for (int j = 0; j < n; j++)
        t->start[j + 1] += t->start[j];
    for (int i = 0; i < n; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            int j = a->column[k], at = t->start[j]++;
            if (i == j)
                t->middle[j] = at;
            t->column[at] = i;
            t->value[at] = a->value[k];
            t->factor[at] = factor[k];
        }
    for (int j = n; j > 0; j--)
        t->start[j] = t->start[j - 1];
    t->start[0] = 0;
}

void qmr_ilu0_free(void *prepared) {
    struct prepared *t = prepared;
    if (t) {
        drop_factored(t->f);
        free(t->start);
        free(t->middle);
        free(t->column);
        free(t->value);
        free(t->factor);
    }
    free(t);
}

/* The incomplete factors of a matrix and their transposes, for qmr_ilu0_solve; NULL without memory. */
void *qmr_ilu0_prepare(int n, const int *start, const int *column, const real *value) {
    size_t rows = (size_t)n + 1, entries = (size_t)start[n] + 1;
    struct prepared *t = calloc(1, sizeof *t);
    if (t) {
        t->f = make_factored(n, start, column, value, 0);
        t->start = calloc(rows, sizeof *t->start);
        t->middle = malloc(rows * sizeof *t->middle);
        t->column = malloc(entries * sizeof *t->column);
        t->value = malloc(entries * sizeof *t->value);
        t->factor = malloc(entries * sizeof *t->factor);
    }
    if (t && !(t->f && t->start && t->middle && t->column && t->value && t->factor)) {
        qmr_ilu0_free(t);
        t = NULL;
    }
    if (t && t->f->failed < 0)
        transpose(n, &t->f->a, t->f->factor, t);
    return t;
}

/* As qmr_ilu0, with the factors at hand. */
int qmr_ilu0_solve(const void *prepared, int n, const int *start, const int *column, const real *value, const real *b,
                   real *x, double tolerance, int most, double *history, int *broken) {
    const struct prepared *t = prepared;
    const struct factored *f = t->f;
    const struct coloured *a = &f->a;
    (void)start, (void)column, (void)value;
    *broken = f->failed >= 0 ? -1 - f->failed : 0;
    history[0] = 0.0;
    if (f->failed >= 0)
        return 0;
    scale_system(n, f, 0, b, x);
    int steps = iterate(n, a->start, a->middle, a->column, a->value, f->factor, t->start, t->middle, t->column, t->value,
                        t->factor, f->scale, a->n_colours, a->widest, a->first, f->b, f->x, tolerance, most, history,
                        broken);
    unscale_unknowns(n, f, x);
    return steps;
}

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. *broken is
 * set where a recurrence would divide by zero; and to -i where the factorisation meets a pivot of zero in row i,
 * counted from 1. */
int qmr_ilu0(int n, const int *start, const int *column, const real *value, const real *b, real *x, double tolerance,
             int most, double *history, int *broken) {
    void *prepared = qmr_ilu0_prepare(n, start, column, value);
    int steps = -1;
    *broken = 0;
    if (prepared)
        steps = qmr_ilu0_solve(prepared, n, start, column, value, b, x, tolerance, most, history, broken);
    qmr_ilu0_free(prepared);
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
        steps = qmr_ilu0(n, start, column, value, b, x, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "qmr_ilu0: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("qmr_ilu0: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
    fprintf(stderr, "true residual %.3e, by the recurrence %.3e\n", left, history[steps] / history[0]);
    free(start);
    free(column);
    free(value);
    free(b);
    free(x);
    free(history);
    return 0;
}
