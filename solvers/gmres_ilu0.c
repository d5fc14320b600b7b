/* Solves A x = b by the method of generalised minimal residuals, started anew every `restart` iterations, preconditioned
 * from the right by an incomplete LU factorisation without fill-in, with any A in compressed rows that has a full diagonal.
 *
 * Saad and Schultz, 1986; Meijerink and van der Vorst, 1977: L and U have the places of A's triangles, and L U is A there,
 * L with ones on its diagonal. It is computed once, on the host. A product is one with the inverse of L U first: an unknown
 * waits for those that its row names, so that rows are sorted into levels, and those of a level wait for none of each other
 * (Anderson and Saad, 1989). No compiler sees that in the numbers, hence the directives. The main program solves a problem
 * of diffusion with a wind on a cube of N points a side; the size is set with -DN=...
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
#ifndef WIND
#define WIND 0.4
#endif

/* What matrices and vectors are made of; -DSINGLE halves what an iteration moves. Sums are double in any case. */
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif

/* The triangles of A without its diagonal, in compressed rows, columns ascending, and the diagonal. */
static void split(int n, const int *start, const int *column, const real *value, int *l_start, int *l_column,
                  real *l_value, int *u_start, int *u_column, real *u_value, real *diagonal) {
    l_start[0] = 0;
    u_start[0] = 0;
    for (int i = 0; i < n; i++) {
        l_start[i + 1] = l_start[i];
        u_start[i + 1] = u_start[i];
        diagonal[i] = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++) {
            if (column[k] == i) {
                diagonal[i] = value[k];
                continue;
            }
            int *to_column = column[k] < i ? l_column : u_column, first = column[k] < i ? l_start[i] : u_start[i];
            real *to_value = column[k] < i ? l_value : u_value;
            int at = column[k] < i ? l_start[i + 1]++ : u_start[i + 1]++;
            for (; at > first && to_column[at - 1] > column[k]; at--) {
                to_column[at] = to_column[at - 1];
                to_value[at] = to_value[at - 1];
            }
            to_column[at] = column[k];
            to_value[at] = value[k];
        }
    }
}

/* Makes of the triangles the factors, and of the diagonal that of U, inverted. `place` has n pointers. Returns the first row
 * whose pivot is zero, or no number, or -1. */
static int factor(int n, const int *l_start, const int *l_column, real *l_value, const int *u_start,
                  const int *u_column, real *u_value, real *diagonal, real **place) {
    for (int i = 0; i < n; i++)
        place[i] = NULL;
    for (int i = 0; i < n; i++) {
        for (int k = l_start[i]; k < l_start[i + 1]; k++)
            place[l_column[k]] = &l_value[k];
        for (int k = u_start[i]; k < u_start[i + 1]; k++)
            place[u_column[k]] = &u_value[k];
        place[i] = &diagonal[i];
        for (int k = l_start[i]; k < l_start[i + 1]; k++) {
            int j = l_column[k];
            l_value[k] *= diagonal[j];
            for (int m = u_start[j]; m < u_start[j + 1]; m++)
                if (place[u_column[m]])
                    *place[u_column[m]] -= l_value[k] * u_value[m];
        }
        if (!(fabs(diagonal[i]) > 0.0) || isinf(diagonal[i]))
            return i;
        diagonal[i] = 1.0 / diagonal[i];
        for (int k = l_start[i]; k < l_start[i + 1]; k++)
            place[l_column[k]] = NULL;
        for (int k = u_start[i]; k < u_start[i + 1]; k++)
            place[u_column[k]] = NULL;
        place[i] = NULL;
    }
    return -1;
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

/* The iterations, with L and U and their rows by level. A level has at most so many rows as the widest. See gmres_ilu0. */
static int iterate(int n, const int *start, const int *column, const real *value, const real *b, real *x,
                   const int *l_start, const int *l_column, const real *l_value, int n_down, int widest_down,
                   const int *down, const int *down_order, const int *u_start, const int *u_column,
                   const real *u_value, int n_up, int widest_up, const int *up, const int *up_order,
                   const real *inverse, int restart, double tolerance, int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *w = malloc(n * sizeof *w);
    real(*basis)[n] = malloc((restart + 1) * sizeof *basis);
    double *h = malloc(restart * (restart + 1) / 2 * sizeof *h);
    double *along = malloc((restart + 1) * sizeof *along), *again = malloc((restart + 1) * sizeof *again);
    double *cosine = malloc(restart * sizeof *cosine), *sine = malloc(restart * sizeof *sine);
    double *g = malloc((restart + 1) * sizeof *g), *y = malloc(restart * sizeof *y);
    real *half = malloc(n * sizeof *half), *z = malloc(n * sizeof *z);
    int steps = -1;
    if (r && w && basis && h && along && again && cosine && sine && g && y && half && z) {
        double rr = 0.0, bb = 0.0, pivot = 1.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            half[i] = 0.0;
            z[i] = 0.0;
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        double limit = tolerance * sqrt(bb), norm = sqrt(rr);
        steps = 0;
        history[0] = norm;
        while (norm > limit && pivot != 0.0 && steps < most) {
            int j = 0, at = 0;
            for (int i = 0; i < n; i++)
                basis[0][i] = r[i] / norm;
            g[0] = norm;
            while (norm > limit && pivot != 0.0 && j < restart && steps < most) {
                double ww = 0.0;
                for (int l = 0; l < n_down; l++) {
#pragma rt parallel
                    for (int m = 0; m < widest_down; m++)
                        if (m < down[l + 1] - down[l]) {
                            int i = down_order[down[l] + m];
                            double sum = basis[j][i];
                            for (int k = l_start[i]; k < l_start[i + 1]; k++)
                                sum -= l_value[k] * half[l_column[k]];
                            half[i] = sum;
                        }
                }
                for (int l = 0; l < n_up; l++) {
#pragma rt parallel
                    for (int m = 0; m < widest_up; m++)
                        if (m < up[l + 1] - up[l]) {
                            int i = up_order[up[l] + m];
                            double sum = half[i];
                            for (int k = u_start[i]; k < u_start[i + 1]; k++)
                                sum -= u_value[k] * z[u_column[k]];
                            z[i] = sum * inverse[i];
                        }
                }
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
                for (int i = 0; i < n; i++)
                    basis[j + 1][i] = next > 0.0 ? w[i] / next : 0.0;
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
                w[i] = 0.0;
            for (int k = 0; k < j; k++)
                for (int i = 0; i < n; i++)
                    w[i] += basis[k][i] * y[k];
            for (int l = 0; l < n_down; l++) {
#pragma rt parallel
                for (int m = 0; m < widest_down; m++)
                    if (m < down[l + 1] - down[l]) {
                        int i = down_order[down[l] + m];
                        double sum = w[i];
                        for (int k = l_start[i]; k < l_start[i + 1]; k++)
                            sum -= l_value[k] * half[l_column[k]];
                        half[i] = sum;
                    }
            }
            for (int l = 0; l < n_up; l++) {
#pragma rt parallel
                for (int m = 0; m < widest_up; m++)
                    if (m < up[l + 1] - up[l]) {
                        int i = up_order[up[l] + m];
                        double sum = half[i];
                        for (int k = u_start[i]; k < u_start[i + 1]; k++)
                            sum -= u_value[k] * z[u_column[k]];
                        z[i] = sum * inverse[i];
                    }
            }
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
    free(half);
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

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. *broken is
 * set where A is singular; and to -i where the factorisation meets a pivot of zero in row i,
 * counted from 1. */
int gmres_ilu0(int n, const int *start, const int *column, const real *value, const real *b, real *x, int restart,
               double tolerance, int most, double *history, int *broken) {
    size_t rows = (size_t)n + 1, entries = (size_t)start[n] + 1;
    int *l_start = malloc(rows * sizeof *l_start), *l_column = malloc(entries * sizeof *l_column);
    int *u_start = malloc(rows * sizeof *u_start), *u_column = malloc(entries * sizeof *u_column);
    int *down = calloc(rows, sizeof *down), *down_order = malloc(rows * sizeof *down_order);
    int *up = calloc(rows, sizeof *up), *up_order = malloc(rows * sizeof *up_order);
    int *of_row = malloc(rows * sizeof *of_row);
    real *l_value = malloc(entries * sizeof *l_value), *u_value = malloc(entries * sizeof *u_value);
    real *inverse = malloc(rows * sizeof *inverse), **place = malloc(rows * sizeof *place);
    int steps = -1;
    *broken = 0;
    if (l_start && l_column && u_start && u_column && down && down_order && up && up_order && of_row && l_value &&
        u_value && inverse && place) {
        split(n, start, column, value, l_start, l_column, l_value, u_start, u_column, u_value, inverse);
        int failed = factor(n, l_start, l_column, l_value, u_start, u_column, u_value, inverse, place);
        if (failed >= 0) {
            history[0] = 0.0;
            *broken = -1 - failed;
            steps = 0;
        } else {
            int widest_down, n_down = sort_rows(n, l_start, l_column, 0, of_row, down, down_order, &widest_down);
            int widest_up, n_up = sort_rows(n, u_start, u_column, 1, of_row, up, up_order, &widest_up);
            steps = iterate(n, start, column, value, b, x, l_start, l_column, l_value, n_down, widest_down, down,
                            down_order, u_start, u_column, u_value, n_up, widest_up, up, up_order, inverse, restart, tolerance,
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
    free(place);
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
