/* Solves A x = b by the quasi-minimal residual method without look-ahead, preconditioned from the right by an incomplete LU
 * factorisation without fill-in, with any A in compressed rows that has a full diagonal.
 *
 * Freund and Nachtigal, 1991; the form with coupled two-term recurrences (Templates for the Solution of Linear Systems,
 * 1994, section 2.3.8). Meijerink and van der Vorst, 1977: L and U have the places of A's triangles, and L U is A there, L
 * with ones on its diagonal. It is computed once, on the host. The method needs products with A and with its transpose, and
 * both systems solved, that of L U and that of its transpose, which is made once, too: an unknown waits for those that its
 * row names, so that rows are sorted into levels, and those of a level wait for none of each other (Anderson and Saad,
 * 1989). No compiler sees that in the numbers, hence the directives. The main program solves a problem of diffusion with a
 * wind on a cube of N points a side; the size is set with -DN=...
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

/* The same matrix by columns: t_start of n + 1 numbers, the others as long as `value`. */
static void transpose(int n, const int *start, const int *column, const real *value, int *t_start, int *t_column,
                      real *t_value) {
    for (int i = 0; i <= n; i++)
        t_start[i] = 0;
    for (int k = 0; k < start[n]; k++)
        t_start[column[k] + 1]++;
    for (int i = 0; i < n; i++)
        t_start[i + 1] += t_start[i];
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            int at = t_start[column[k]]++;
            t_column[at] = i;
            t_value[at] = value[k];
        }
    for (int i = n; i > 0; i--)
        t_start[i] = t_start[i - 1];
    t_start[0] = 0;
}

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

/* The iterations, with L and U, their transposes, and the rows of each by level. A level has at most so many rows as the
 * widest. See qmr_ilu0. */
static int iterate(int n, const int *start, const int *column, const real *value, const int *t_start,
                   const int *t_column, const real *t_value, const real *b, real *x, const int *l_start,
                   const int *l_column, const real *l_value, int n_down, int widest_down, const int *down,
                   const int *down_order, const int *u_start, const int *u_column, const real *u_value, int n_up,
                   int widest_up, const int *up, const int *up_order, const int *ut_start, const int *ut_column,
                   const real *ut_value, int n_t_down, int widest_t_down, const int *t_down, const int *t_down_order,
                   const int *lt_start, const int *lt_column, const real *lt_value, int n_t_up, int widest_t_up,
                   const int *t_up, const int *t_up_order, const real *inverse, double tolerance, int most,
                   double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
    real *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q), *ap = malloc(n * sizeof *ap);
    real *d = malloc(n * sizeof *d), *s = malloc(n * sizeof *s), *half = malloc(n * sizeof *half);
    real *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    int steps = -1;
    if (r && v && w && p && q && ap && d && s && half && y && z) {
        double rr = 0.0, zz = 0.0, vv = 0.0, bb = 0.0, gamma = 1.0, eta = -1.0, theta = 0.0;
        double epsilon = 1.0, xi = 0.0, rho = 0.0, divisor = 1.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            v[i] = sum;
            w[i] = sum;
            p[i] = 0.0;
            q[i] = 0.0;
            d[i] = 0.0;
            s[i] = 0.0;
            half[i] = 0.0;
            y[i] = 0.0;
            z[i] = 0.0;
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        for (int l = 0; l < n_t_down; l++) {
#pragma rt parallel
            for (int m = 0; m < widest_t_down; m++)
                if (m < t_down[l + 1] - t_down[l]) {
                    int i = t_down_order[t_down[l] + m];
                    double sum = w[i];
                    for (int k = ut_start[i]; k < ut_start[i + 1]; k++)
                        sum -= ut_value[k] * half[ut_column[k]];
                    half[i] = sum * inverse[i];
                }
        }
        for (int l = 0; l < n_t_up; l++) {
#pragma rt parallel
            for (int m = 0; m < widest_t_up; m++)
                if (m < t_up[l + 1] - t_up[l]) {
                    int i = t_up_order[t_up[l] + m];
                    double sum = half[i];
                    for (int k = lt_start[i]; k < lt_start[i + 1]; k++)
                        sum -= lt_value[k] * z[lt_column[k]];
                    z[i] = sum;
                }
        }
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
                v[i] /= rho;
                w[i] /= xi;
                z[i] /= xi;
                delta += z[i] * v[i];
            }
            for (int l = 0; l < n_down; l++) {
#pragma rt parallel
                for (int m = 0; m < widest_down; m++)
                    if (m < down[l + 1] - down[l]) {
                        int i = down_order[down[l] + m];
                        double sum = v[i];
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
                            sum -= u_value[k] * y[u_column[k]];
                        y[i] = sum * inverse[i];
                    }
            }
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
                w[i] = sum - beta * w[i];
                v[i] = ap[i] - beta * v[i];
                vv += v[i] * v[i];
            }
            for (int l = 0; l < n_t_down; l++) {
#pragma rt parallel
                for (int m = 0; m < widest_t_down; m++)
                    if (m < t_down[l + 1] - t_down[l]) {
                        int i = t_down_order[t_down[l] + m];
                        double sum = w[i];
                        for (int k = ut_start[i]; k < ut_start[i + 1]; k++)
                            sum -= ut_value[k] * half[ut_column[k]];
                        half[i] = sum * inverse[i];
                    }
            }
            for (int l = 0; l < n_t_up; l++) {
#pragma rt parallel
                for (int m = 0; m < widest_t_up; m++)
                    if (m < t_up[l + 1] - t_up[l]) {
                        int i = t_up_order[t_up[l] + m];
                        double sum = half[i];
                        for (int k = lt_start[i]; k < lt_start[i + 1]; k++)
                            sum -= lt_value[k] * z[lt_column[k]];
                        z[i] = sum;
                    }
            }
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
    free(half);
    free(y);
    free(z);
    return steps;
}

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. *broken is
 * set where a recurrence would divide by zero; and to -i where the factorisation meets a pivot of zero in row i,
 * counted from 1. */
int qmr_ilu0(int n, const int *start, const int *column, const real *value, const real *b, real *x, double tolerance,
             int most, double *history, int *broken) {
    size_t rows = (size_t)n + 1, entries = (size_t)start[n] + 1;
    int *t_start = malloc(rows * sizeof *t_start), *t_column = malloc(entries * sizeof *t_column);
    int *l_start = malloc(rows * sizeof *l_start), *l_column = malloc(entries * sizeof *l_column);
    int *u_start = malloc(rows * sizeof *u_start), *u_column = malloc(entries * sizeof *u_column);
    int *lt_start = malloc(rows * sizeof *lt_start), *lt_column = malloc(entries * sizeof *lt_column);
    int *ut_start = malloc(rows * sizeof *ut_start), *ut_column = malloc(entries * sizeof *ut_column);
    int *down = calloc(rows, sizeof *down), *down_order = malloc(rows * sizeof *down_order);
    int *up = calloc(rows, sizeof *up), *up_order = malloc(rows * sizeof *up_order);
    int *t_down = calloc(rows, sizeof *t_down), *t_down_order = malloc(rows * sizeof *t_down_order);
    int *t_up = calloc(rows, sizeof *t_up), *t_up_order = malloc(rows * sizeof *t_up_order);
    int *of_row = malloc(rows * sizeof *of_row);
    real *t_value = malloc(entries * sizeof *t_value), *inverse = malloc(rows * sizeof *inverse);
    real *l_value = malloc(entries * sizeof *l_value), *u_value = malloc(entries * sizeof *u_value);
    real *lt_value = malloc(entries * sizeof *lt_value), *ut_value = malloc(entries * sizeof *ut_value);
    real **place = malloc(rows * sizeof *place);
    int steps = -1;
    *broken = 0;
    if (t_start && t_column && l_start && l_column && u_start && u_column && lt_start && lt_column && ut_start &&
        ut_column && down && down_order && up && up_order && t_down && t_down_order && t_up && t_up_order && of_row &&
        t_value && inverse && l_value && u_value && lt_value && ut_value && place) {
        split(n, start, column, value, l_start, l_column, l_value, u_start, u_column, u_value, inverse);
        int failed = factor(n, l_start, l_column, l_value, u_start, u_column, u_value, inverse, place);
        if (failed >= 0) {
            history[0] = 0.0;
            *broken = -1 - failed;
            steps = 0;
        } else {
            transpose(n, start, column, value, t_start, t_column, t_value);
            transpose(n, l_start, l_column, l_value, lt_start, lt_column, lt_value);
            transpose(n, u_start, u_column, u_value, ut_start, ut_column, ut_value);
            int widest_down, n_down = sort_rows(n, l_start, l_column, 0, of_row, down, down_order, &widest_down);
            int widest_up, n_up = sort_rows(n, u_start, u_column, 1, of_row, up, up_order, &widest_up);
            int widest_t_down, widest_t_up;
            int n_t_down = sort_rows(n, ut_start, ut_column, 0, of_row, t_down, t_down_order, &widest_t_down);
            int n_t_up = sort_rows(n, lt_start, lt_column, 1, of_row, t_up, t_up_order, &widest_t_up);
            steps = iterate(n, start, column, value, t_start, t_column, t_value, b, x, l_start, l_column, l_value,
                            n_down, widest_down, down, down_order, u_start, u_column, u_value, n_up, widest_up, up,
                            up_order, ut_start, ut_column, ut_value, n_t_down, widest_t_down, t_down, t_down_order,
                            lt_start, lt_column, lt_value, n_t_up, widest_t_up, t_up, t_up_order, inverse, tolerance,
                            most, history, broken);
        }
    }
    free(t_start);
    free(t_column);
    free(l_start);
    free(l_column);
    free(u_start);
    free(u_column);
    free(lt_start);
    free(lt_column);
    free(ut_start);
    free(ut_column);
    free(down);
    free(down_order);
    free(up);
    free(up_order);
    free(t_down);
    free(t_down_order);
    free(t_up);
    free(t_up_order);
    free(of_row);
    free(t_value);
    free(inverse);
    free(l_value);
    free(u_value);
    free(lt_value);
    free(ut_value);
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
