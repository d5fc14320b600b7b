/* Incomplete factors of a matrix without fill-in, solved colour by colour (pcg_ic0.c, bicgstab_ilu0.c, gmres_ilu0.c,
 * qmr_ilu0.c), made on the host.
 *
 * Meijerink and van der Vorst, 1977: L and U have the places of A's triangles, L has ones on its diagonal, and L U is A
 * there; of a symmetric matrix it is the factorisation of Cholesky, L D L'. Rows and columns are numbered colour by colour
 * (colours.h): a triangle is solved in so many steps as there are colours but one, and all rows of one are solved at once
 * (Saad, Iterative Methods for Sparse Linear Systems, 12.4). In their own order they would wait in hundreds of steps. More
 * iterations are the price (Duff and Meurant, 1989), the fewer, the more colours there are.
 *
 * The system is scaled so that the pivots are one: no solution of a triangle has anything to divide by. Of a symmetric matrix
 * both sides are, and it stays so; else the columns alone, and residuals stay as they are.
 */
#ifndef INCOMPLETE_H
#define INCOMPLETE_H

#include <math.h>
#include <stdlib.h>

#include "colours.h"

/* Colours that are wanted (see paint): fewer make more iterations, more make more steps. Where one block of a device has all
 * rows, steps cost little. */
#ifndef WANTED
#define WANTED(n) ((n) <= 4096 ? 32 : 8)
#endif

/* A scaled matrix and its factors: factor[k] belongs to L or to U, as value[k] belongs to the lower triangle or to the upper
 * one. The scaled unknowns are scale[i] times those of the system. `failed` is the row of it that has no pivot, or -1; b and
 * x are room for the scaled right-hand side and unknowns. */
struct factored {
    int failed;
    struct coloured a;
    real *factor, *scale, *b, *x;
};

/* The place of a column among some that ascend, or -1. */
static int find(const int *column, int from, int to, int wanted) {
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (column[middle] == wanted)
            return middle;
        if (column[middle] < wanted)
            from = middle + 1;
        else
            to = middle;
    }
    return -1;
}

/* The entries of row i of L and U. `seen` has, of each column, one more than the place in the row that had it last. Returns the
 * pivot. */
static real factorise_row(int i, const struct coloured *a, real *factor, const real *scale, int *seen) {
    int first = a->start[i], middle = a->middle[i], end = a->start[i + 1];
    if (middle == end || a->column[middle] != i)
        return 0.0;
    for (int k = first; k < end; k++) {
        factor[k] = a->value[k];
        seen[a->column[k]] = k + 1;
    }
    for (int k = first; k < middle; k++) {
        int j = a->column[k], from = a->middle[j] + 1, to = a->start[j + 1];
        /* Of a row that is much longer than this one, only what this one has. */
        int is_long = a->is_ascending && (to - from) / 16 > end - k;
        factor[k] /= scale[j];
        for (int m = from; !is_long && m < to; m++)
            if (seen[a->column[m]] > first)
                factor[seen[a->column[m]] - 1] -= factor[k] * factor[m];
        for (int m = k + 1; is_long && m < end; m++) {
            int at = find(a->column, from, to, a->column[m]);
            if (at >= 0)
                factor[m] -= factor[k] * factor[at];
        }
    }
    return factor[middle];
}

/* The entries of L and U, and in `scale` the pivots, colour by colour. Returns the first row whose pivot is zero, or no
 * number, or not positive where it must be; or n; or -1 without memory. */
#pragma rt host
static int factorise(int n, const struct coloured *a, int is_symmetric, real *factor, real *scale) {
    int failed = n, n_without = 0;
#pragma omp parallel reduction(min : failed) reduction(+ : n_without)
    {
        int *seen = calloc((size_t)n + 1, sizeof *seen);
        n_without += !seen;
        for (int c = 0; c < a->n_colours; c++) {
#pragma omp for schedule(static) // decline: its parameters and its result are not all numbers
            for (int i = a->first[c]; i < a->first[c + 1]; i++) {
                scale[i] = seen ? factorise_row(i, a, factor, scale, seen) : 0.0;
                if (isinf(scale[i]) || !(is_symmetric ? scale[i] > 0.0 : fabs(scale[i]) > 0.0))
                    failed = i < failed ? i : failed;
            }
        }
        free(seen);
    }
    return n_without > 0 ? -1 : failed;
}

/* Scales matrix and factors; of pivots `scale` becomes what unknowns are scaled by. */
#pragma rt host
static void scale_by_pivots(int n, struct coloured *a, int is_symmetric, real *factor, real *scale) {
    for (int i = 0; is_symmetric && i < n; i++)
        scale[i] = sqrt(scale[i]);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double of_row = is_symmetric ? scale[i] : 1.0;
        for (int k = a->start[i]; k < a->middle[i]; k++)
            factor[k] *= is_symmetric ? scale[a->column[k]] / of_row : 1.0;
        for (int k = a->middle[i]; k < a->start[i + 1]; k++)
            factor[k] /= of_row * scale[a->column[k]];
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            a->value[k] /= of_row * scale[a->column[k]];
    }
}

static void drop_factored(struct factored *f) {
    if (f) {
        drop_coloured(&f->a);
        free(f->factor);
        free(f->scale);
        free(f->b);
        free(f->x);
    }
    free(f);
}

/* The factors of a matrix; NULL without memory. */
static struct factored *make_factored(int n, const int *start, const int *column, const real *value, int is_symmetric) {
    size_t rows = (size_t)n + 1, entries = (size_t)start[n] + 1;
    struct factored *f = calloc(1, sizeof *f);
    int is_done = f && make_coloured(n, start, column, value, WANTED(n), &f->a);
    if (is_done) {
        f->factor = malloc(entries * sizeof *f->factor);
        f->scale = malloc(rows * sizeof *f->scale);
        f->b = malloc(rows * sizeof *f->b);
        f->x = malloc(rows * sizeof *f->x);
        is_done = f->factor && f->scale && f->b && f->x;
    }
    int failed = is_done ? factorise(n, &f->a, is_symmetric, f->factor, f->scale) : -1;
    if (failed < 0) {
        drop_factored(f);
        return NULL;
    }
    f->failed = -1;
    for (int i = 0; failed < n && i < n; i++)
        f->failed = f->a.place[i] == failed ? i : f->failed;
    if (failed == n)
        scale_by_pivots(n, &f->a, is_symmetric, f->factor, f->scale);
    return f;
}

/* The system as its factors have it. */
#pragma rt host
static void scale_system(int n, const struct factored *f, int is_symmetric, const real *b, const real *x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = f->a.place[i];
        f->b[at] = is_symmetric ? b[i] / f->scale[at] : b[i];
        f->x[at] = x[i] * f->scale[at];
    }
}

/* The unknowns as the system has them. */
#pragma rt host
static void unscale_unknowns(int n, const struct factored *f, real *x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = f->x[f->a.place[i]] / f->scale[f->a.place[i]];
}

/* L z := z, where L has ones on its diagonal and the entries of a factor before it; rows of a colour are solved in parallel. */
static void solve_lower(int n_colours, int widest, const int *first, const int *start, const int *middle, const int *column,
                        const real *factor, real *z) {
    for (int c = 1; c < n_colours; c++) {
#pragma rt parallel
        for (int m = 0; m < widest; m++)
            if (m < first[c + 1] - first[c]) {
                int i = first[c] + m;
                double sum = z[i];
                for (int k = start[i]; k < middle[i]; k++)
                    sum -= factor[k] * z[column[k]];
                z[i] = sum;
            }
    }
}

/* The same of the entries behind the diagonal, from the last colour to the first. */
static void solve_upper(int n_colours, int widest, const int *first, const int *start, const int *middle, const int *column,
                        const real *factor, real *z) {
    for (int c = 2; c <= n_colours; c++) {
#pragma rt parallel
        for (int m = 0; m < widest; m++)
            if (m < first[n_colours - c + 1] - first[n_colours - c]) {
                int i = first[n_colours - c] + m;
                double sum = z[i];
                for (int k = middle[i] + 1; k < start[i + 1]; k++)
                    sum -= factor[k] * z[column[k]];
                z[i] = sum;
            }
    }
}

#endif
