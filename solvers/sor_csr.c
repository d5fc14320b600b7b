/* Solves A x = b by successive over-relaxation, with A in compressed rows and a full diagonal; omega = 1 is the method of
 * Gauss and Seidel.
 *
 * The unknowns are coloured first, so that no equation has two of one colour: those of one colour depend on the others
 * alone, and are independent. On a grid these are the red and the black points. Equations and unknowns are then numbered
 * colour by colour, on the host: those of one colour are neighbours in memory. Only the colouring, which no compiler sees,
 * keeps an unknown apart from what its colour reads, hence the directive. The residual is that of each equation when its
 * turn comes. The main program solves Poisson's equation on a cube of N points a side; the size is set with -DN=...
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "colours.h"

#ifndef N
#define N 10
#endif
#ifndef TOLERANCE
#define TOLERANCE 1e-8
#endif
#ifndef MAX_ITERATIONS
#define MAX_ITERATIONS 1000
#endif

/* The iterations, on equations sorted by colour; first[c] is the first of colour c, and no colour has more than `widest`.
 * See sor_csr. */
static int iterate(int n, const int *start, const int *column, const real *value, const real *b, real *x,
                   const real *inverse, int n_colours, int widest, const int *first, double omega, double tolerance,
                   int most, double *history) {
    double rr = 0.0, bb = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = b[i];
        for (int k = start[i]; k < start[i + 1]; k++)
            sum -= value[k] * x[column[k]];
        rr += sum * sum;
        bb += b[i] * b[i];
    }
    double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
    int steps = 0;
    history[0] = sqrt(rr);
    while (rr > limit && rr < hopeless && steps < most) {
        rr = 0.0;
        for (int c = 0; c < n_colours; c++) {
#pragma rt parallel
            for (int m = 0; m < widest; m++)
                if (m < first[c + 1] - first[c]) {
                    int i = first[c] + m;
                    double sum = b[i], own_x = x[i];
                    for (int k = start[i]; k < start[i + 1]; k++)
                        sum -= value[k] * x[column[k]];
                    x[i] = own_x + omega * inverse[i] * sum;
                    rr += sum * sum;
                }
        }
        steps++;
        history[steps] = sqrt(rr);
    }
    return steps;
}

/* Equations sorted by colour, and room for their unknowns and right-hand side. */
struct prepared {
    struct coloured a;
    real *b, *inverse, *x;
};

void sor_csr_free(void *prepared) {
    struct prepared *s = prepared;
    if (s) {
        drop_coloured(&s->a);
        free(s->b);
        free(s->inverse);
        free(s->x);
    }
    free(s);
}

/* Colours and sorts the equations of a matrix, for sor_csr_solve; NULL without memory. */
void *sor_csr_prepare(int n, const int *start, const int *column, const real *value) {
    size_t rows = (size_t)n + 1;
    struct prepared *s = calloc(1, sizeof *s);
    int is_done = s && make_coloured(n, start, column, value, 1, &s->a);
    if (is_done) {
        s->b = malloc(rows * sizeof *s->b);
        s->inverse = malloc(rows * sizeof *s->inverse);
        s->x = malloc(rows * sizeof *s->x);
        is_done = s->b && s->inverse && s->x;
    }
    if (!is_done) {
        sor_csr_free(s);
        s = NULL;
    }
    return s;
}

/* As sor_csr, with the equations sorted. */
int sor_csr_solve(const void *prepared, int n, const int *start, const int *column, const real *value, const real *b,
                  real *x, const real *inverse, double omega, double tolerance, int most, double *history, int *broken) {
    const struct prepared *s = prepared;
    const struct coloured *a = &s->a;
    (void)start, (void)column, (void)value;
    *broken = 0;
    for (int i = 0; i < n; i++) {
        s->b[a->place[i]] = b[i];
        s->inverse[a->place[i]] = inverse[i];
        s->x[a->place[i]] = x[i];
    }
    int steps = iterate(n, a->start, a->column, a->value, s->b, s->x, s->inverse, a->n_colours, a->widest, a->first, omega,
                        tolerance, most, history);
    for (int i = 0; i < n; i++)
        x[i] = s->x[a->place[i]];
    return steps;
}

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, each equation's taken as its turn came.
 * inverse[i] is 1 / a[i][i]. Nothing can break it, so that *broken stays 0. */
int sor_csr(int n, const int *start, const int *column, const real *value, const real *b, real *x,
            const real *inverse, double omega, double tolerance, int most, double *history, int *broken) {
    void *prepared = sor_csr_prepare(n, start, column, value);
    int steps = -1;
    *broken = 0;
    if (prepared)
        steps = sor_csr_solve(prepared, n, start, column, value, b, x, inverse, omega, tolerance, most, history, broken);
    sor_csr_free(prepared);
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
    real *inverse = malloc(n * sizeof *inverse);
    if (start && column && value && b && x && history && inverse) {
        poisson(N, start, column, value);
        for (int i = 0; i < n; i++) {
            b[i] = 1.0;
            inverse[i] = 1.0 / 6.0;
        }
        steps = sor_csr(n, start, column, value, b, x, inverse, 1.5, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "sor_csr: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("sor_csr: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
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
