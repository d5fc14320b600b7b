/* Solves A x = b by the method of conjugate gradients, preconditioned by an incomplete Cholesky factorisation without
 * fill-in, with A symmetric and positive definite, in compressed rows.
 *
 * Meijerink and van der Vorst, 1977: L has the places of A's lower triangle, and L L' is A there. It is computed once, on
 * the host. An iteration solves with L and with L': an unknown waits for those that its row names, so that rows are sorted
 * into levels, and those of a level wait for none of each other (Anderson and Saad, 1989). No compiler sees that in the
 * numbers, hence the directives. The main program solves Poisson's equation on a cube of N points a side; the size is set
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

/* The strict lower triangle of A in compressed rows, columns ascending, and its diagonal. */
static void lower_triangle(int n, const int *start, const int *column, const real *value, int *l_start, int *l_column,
                           real *l_value, real *diagonal) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        l_start[i] = count;
        diagonal[i] = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++) {
            if (column[k] == i)
                diagonal[i] = value[k];
            if (column[k] >= i)
                continue;
            int at = count++;
            for (; at > l_start[i] && l_column[at - 1] > column[k]; at--) {
                l_column[at] = l_column[at - 1];
                l_value[at] = l_value[at - 1];
            }
            l_column[at] = column[k];
            l_value[at] = value[k];
        }
    }
    l_start[n] = count;
}

/* Makes of the lower triangle its factor, and of the diagonal that of the factor, inverted. Returns the first row whose
 * pivot is not positive, or -1. */
static int factor(int n, const int *l_start, const int *l_column, real *l_value, real *diagonal) {
    for (int i = 0; i < n; i++) {
        double pivot = diagonal[i];
        for (int k = l_start[i]; k < l_start[i + 1]; k++) {
            int j = l_column[k], a = l_start[i], b = l_start[j];
            double sum = l_value[k];
            while (a < k && b < l_start[j + 1])
                if (l_column[a] == l_column[b])
                    sum -= (double)l_value[a++] * l_value[b++];
                else if (l_column[a] < l_column[b])
                    a++;
                else
                    b++;
            l_value[k] = sum * diagonal[j];
            pivot -= (double)l_value[k] * l_value[k];
        }
        if (!(pivot > 0.0))
            return i;
        diagonal[i] = 1.0 / sqrt(pivot);
    }
    return -1;
}

/* The transposed matrix, columns ascending. `t_start` has n + 1 zeros. */
static void transpose(int n, const int *start, const int *column, const real *value, int *t_start, int *t_column,
                      real *t_value) {
    for (int k = 0; k < start[n]; k++)
        t_start[column[k] + 1]++;
    for (int j = 0; j < n; j++)
        t_start[j + 1] += t_start[j];
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            int at = t_start[column[k]]++;
            t_column[at] = i;
            t_value[at] = value[k];
        }
    for (int j = n; j > 0; j--)
        t_start[j] = t_start[j - 1];
    t_start[0] = 0;
}

/* Sorts rows by level: a row's level is one more than the highest of those that it names. Rows name rows before them, or
 * behind them (`from_end`). level[l] is the place in `order` of the first row of level l; it has n + 1 zeros. *widest is the
 * most rows of a level. Returns how many levels there are. */
static int sort_rows(int n, const int *start, const int *column, int from_end, int *of_row, int *level, int *order,
                     int *widest) {
    int n_levels = 0;
    for (int step = 0; step < n; step++) {
        int i = from_end ? n - 1 - step : step, l = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            l = of_row[column[k]] >= l ? of_row[column[k]] + 1 : l;
        of_row[i] = l;
        level[l + 1]++;
        n_levels = l >= n_levels ? l + 1 : n_levels;
    }
    *widest = 0;
    for (int l = 0; l < n_levels; l++) {
        *widest = level[l + 1] > *widest ? level[l + 1] : *widest;
        level[l + 1] += level[l];
    }
    for (int i = 0; i < n; i++)
        order[level[of_row[i]]++] = i;
    for (int l = n_levels; l > 0; l--)
        level[l] = level[l - 1];
    level[0] = 0;
    return n_levels;
}

/* The iterations, with L and its transpose U, and their rows by level. A level has at most so many rows as the widest. See
 * pcg_ic0. */
static int iterate(int n, const int *start, const int *column, const real *value, const real *b, real *x,
                   const int *l_start, const int *l_column, const real *l_value, int n_down, int widest_down,
                   const int *down, const int *down_order, const int *u_start, const int *u_column,
                   const real *u_value, int n_up, int widest_up, const int *up, const int *up_order,
                   const real *inverse, double tolerance, int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
    real *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    int steps = -1;
    if (r && p && q && y && z) {
        double rr = 0.0, rz = 0.0, bb = 0.0, curvature = 1.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            p[i] = 0.0;
            y[i] = 0.0;
            z[i] = 0.0;
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        steps = 0;
        history[0] = sqrt(rr);
        while (rr > limit && rr < hopeless && curvature > 0.0 && steps < most) {
            for (int l = 0; l < n_down; l++) {
#pragma rt parallel
                for (int m = 0; m < widest_down; m++)
                    if (m < down[l + 1] - down[l]) {
                        int i = down_order[down[l] + m];
                        double sum = r[i];
                        for (int k = l_start[i]; k < l_start[i + 1]; k++)
                            sum -= l_value[k] * y[l_column[k]];
                        y[i] = sum * inverse[i];
                    }
            }
            for (int l = 0; l < n_up; l++) {
#pragma rt parallel
                for (int m = 0; m < widest_up; m++)
                    if (m < up[l + 1] - up[l]) {
                        int i = up_order[up[l] + m];
                        double sum = y[i];
                        for (int k = u_start[i]; k < u_start[i + 1]; k++)
                            sum -= u_value[k] * z[u_column[k]];
                        z[i] = sum * inverse[i];
                    }
            }
            double rz_new = 0.0;
            for (int i = 0; i < n; i++)
                rz_new += r[i] * z[i];
            double beta = steps > 0 ? rz_new / rz : 0.0;
            rz = rz_new;
            for (int i = 0; i < n; i++)
                p[i] = z[i] + beta * p[i];
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
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
                rr += r[i] * r[i];
            }
            steps++;
            history[steps] = sqrt(rr);
        }
        *broken = !(curvature > 0.0);
    }
    free(r);
    free(p);
    free(q);
    free(y);
    free(z);
    return steps;
}

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. *broken is
 * set where p.Ap is not positive: A is not positive definite; and to -i where the factorisation meets a pivot that is not
 * positive, in row i, counted from 1. */
int pcg_ic0(int n, const int *start, const int *column, const real *value, const real *b, real *x, double tolerance,
            int most, double *history, int *broken) {
    size_t rows = (size_t)n + 1, entries = (size_t)start[n] + 1;
    int *l_start = malloc(rows * sizeof *l_start), *l_column = malloc(entries * sizeof *l_column);
    int *u_start = calloc(rows, sizeof *u_start), *u_column = malloc(entries * sizeof *u_column);
    int *down = calloc(rows, sizeof *down), *down_order = malloc(rows * sizeof *down_order);
    int *up = calloc(rows, sizeof *up), *up_order = malloc(rows * sizeof *up_order);
    int *of_row = malloc(rows * sizeof *of_row);
    real *l_value = malloc(entries * sizeof *l_value), *u_value = malloc(entries * sizeof *u_value);
    real *inverse = malloc(rows * sizeof *inverse);
    int steps = -1;
    *broken = 0;
    if (l_start && l_column && u_start && u_column && down && down_order && up && up_order && of_row && l_value &&
        u_value && inverse) {
        lower_triangle(n, start, column, value, l_start, l_column, l_value, inverse);
        int failed = factor(n, l_start, l_column, l_value, inverse);
        if (failed >= 0) {
            history[0] = 0.0;
            *broken = -1 - failed;
            steps = 0;
        } else {
            transpose(n, l_start, l_column, l_value, u_start, u_column, u_value);
            int widest_down, n_down = sort_rows(n, l_start, l_column, 0, of_row, down, down_order, &widest_down);
            int widest_up, n_up = sort_rows(n, u_start, u_column, 1, of_row, up, up_order, &widest_up);
            steps = iterate(n, start, column, value, b, x, l_start, l_column, l_value, n_down, widest_down, down,
                            down_order, u_start, u_column, u_value, n_up, widest_up, up, up_order, inverse, tolerance,
                            most, history, broken);
        }
    }
    free(l_start);
    free(l_column);
    free(u_start);
    free(u_column);
    free(down);
    free(down_order);
    free(up);
    free(up_order);
    free(of_row);
    free(l_value);
    free(u_value);
    free(inverse);
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
