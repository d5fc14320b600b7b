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

/* The least colour of each unknown that no neighbour before it has, where neighbours share an equation's entry in either
 * direction. Returns the number of colours, or -1 without memory. */
static int paint(int n, const int *start, const int *column, int *colour) {
    int *first = calloc((size_t)n + 1, sizeof *first), *row = malloc(start[n] * sizeof *row + 1);
    int *user = malloc(((size_t)n + 1) * sizeof *user), n_colours = -1;
    if (first && row && user) {
        /* The rows that have an entry in each column: from first[j] on. */
        for (int k = 0; k < start[n]; k++)
            first[column[k] + 1]++;
        for (int j = 0; j < n; j++)
            first[j + 1] += first[j];
        for (int i = 0; i < n; i++)
            for (int k = start[i]; k < start[i + 1]; k++)
                row[first[column[k]]++] = i;
        for (int j = n; j > 0; j--)
            first[j] = first[j - 1];
        first[0] = 0;
        for (int c = 0; c <= n; c++)
            user[c] = -1;
        n_colours = 0;
        for (int i = 0; i < n; i++) {
            for (int k = start[i]; k < start[i + 1]; k++)
                if (column[k] < i)
                    user[colour[column[k]]] = i;
            for (int k = first[i]; k < first[i + 1]; k++)
                if (row[k] < i)
                    user[colour[row[k]]] = i;
            int c = 0;
            while (user[c] == i)
                c++;
            colour[i] = c;
            n_colours = c + 1 > n_colours ? c + 1 : n_colours;
        }
    }
    free(first);
    free(row);
    free(user);
    return n_colours;
}

/* Numbers the rows of A colour by colour, unknowns too: place[i] is the new number of i, and first[c] that of the first of
 * colour c; it has n_colours + 1 zeros. Returns how many the most common colour has. */
static int sort_by_colour(int n, const int *start, const int *column, const real *value, const int *colour,
                          int n_colours, int *first, int *place, int *s_start, int *s_column, real *s_value) {
    int widest = 0;
    for (int i = 0; i < n; i++)
        first[colour[i] + 1]++;
    for (int c = 0; c < n_colours; c++) {
        widest = first[c + 1] > widest ? first[c + 1] : widest;
        first[c + 1] += first[c];
    }
    s_start[0] = 0;
    for (int i = 0; i < n; i++) {
        place[i] = first[colour[i]]++;
        s_start[place[i] + 1] = start[i + 1] - start[i];
    }
    for (int c = n_colours; c > 0; c--)
        first[c] = first[c - 1];
    first[0] = 0;
    for (int i = 0; i < n; i++)
        s_start[i + 1] += s_start[i];
    for (int i = 0; i < n; i++) {
        int at = s_start[place[i]];
        for (int k = start[i]; k < start[i + 1]; k++) {
            s_column[at] = place[column[k]];
            s_value[at++] = value[k];
        }
    }
    return widest;
}

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
                    double sum = b[i];
                    for (int k = start[i]; k < start[i + 1]; k++)
                        sum -= value[k] * x[column[k]];
                    x[i] += omega * inverse[i] * sum;
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
    int n_colours, widest, *first, *place, *start, *column;
    real *value, *b, *inverse, *x;
};

void sor_csr_free(void *prepared) {
    struct prepared *s = prepared;
    if (s) {
        free(s->first);
        free(s->place);
        free(s->start);
        free(s->column);
        free(s->value);
        free(s->b);
        free(s->inverse);
        free(s->x);
    }
    free(s);
}

/* Colours and sorts the equations of a matrix, for sor_csr_solve; NULL without memory. */
void *sor_csr_prepare(int n, const int *start, const int *column, const real *value) {
    size_t rows = (size_t)n + 1, entries = (size_t)start[n] + 1;
    struct prepared *s = calloc(1, sizeof *s);
    int *colour = malloc(rows * sizeof *colour), is_done = 0;
    if (s && colour) {
        s->place = malloc(rows * sizeof *s->place);
        s->start = malloc(rows * sizeof *s->start);
        s->column = malloc(entries * sizeof *s->column);
        s->value = malloc(entries * sizeof *s->value);
        s->b = malloc(rows * sizeof *s->b);
        s->inverse = malloc(rows * sizeof *s->inverse);
        s->x = malloc(rows * sizeof *s->x);
        s->n_colours = paint(n, start, column, colour);
        s->first = s->n_colours >= 0 ? calloc((size_t)s->n_colours + 1, sizeof *s->first) : NULL;
        is_done = s->place && s->start && s->column && s->value && s->b && s->inverse && s->x && s->first;
        if (is_done)
            s->widest = sort_by_colour(n, start, column, value, colour, s->n_colours, s->first, s->place, s->start,
                                       s->column, s->value);
    }
    free(colour);
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
    (void)start, (void)column, (void)value;
    *broken = 0;
    for (int i = 0; i < n; i++) {
        s->b[s->place[i]] = b[i];
        s->inverse[s->place[i]] = inverse[i];
        s->x[s->place[i]] = x[i];
    }
    int steps = iterate(n, s->start, s->column, s->value, s->b, s->x, s->inverse, s->n_colours, s->widest, s->first, omega,
                        tolerance, most, history);
    for (int i = 0; i < n; i++)
        x[i] = s->x[s->place[i]];
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
