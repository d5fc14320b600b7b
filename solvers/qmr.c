/* Solves A x = b by the quasi-minimal residual method without look-ahead, with any A in compressed rows.
 *
 * Freund and Nachtigal, 1991; the form with coupled two-term recurrences (Templates for the Solution of Linear Systems,
 * 1994, section 2.3.8), with the inverse of the diagonal as preconditioner from the right, or ones. It needs products with
 * the transposed matrix, which is made once: its rows are then read as those of A are. The sums that the next directions need
 * are made where v and w are, so that an iteration waits three times: for the sums of either product, and for an update of
 * all vectors in one pass. The main program solves a problem of diffusion with a wind on a cube of N points a side; the size
 * is set with -DN=...
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

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. inverse[i] is 1 / a[i][i],
 * or 1. *broken is set where a recurrence would divide by zero. */
int qmr(int n, const int *start, const int *column, const real *value, const real *b, real *x,
        const real *inverse, double tolerance, int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
    real *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q), *ap = malloc(n * sizeof *ap);
    real *d = malloc(n * sizeof *d), *s = malloc(n * sizeof *s), *t_value = malloc(start[n] * sizeof *t_value + 1);
    int *t_start = malloc((n + 1) * sizeof *t_start), *t_column = malloc(start[n] * sizeof *t_column + 1);
    int steps = -1;
    *broken = 0;
    if (r && v && w && p && q && ap && d && s && t_value && t_start && t_column) {
        transpose(n, start, column, value, t_start, t_column, t_value);
        double rr = 0.0, zz = 0.0, vz = 0.0, bb = 0.0, gamma = 1.0, eta = -1.0, theta = 0.0;
        double rho = 0.0, xi = 0.0, delta = 0.0, divisor = 1.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            d[i] = 0.0;
            s[i] = 0.0;
            rr += sum * sum;
            zz += inverse[i] * sum * inverse[i] * sum;
            vz += sum * inverse[i] * sum;
            bb += b[i] * b[i];
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        rho = sqrt(rr);
        xi = sqrt(zz);
        delta = rr > 0.0 && zz > 0.0 ? vz / (rho * xi) : 0.0;
        for (int i = 0; i < n; i++) {
            v[i] = rho > 0.0 ? r[i] / rho : 0.0;
            w[i] = xi > 0.0 ? r[i] / xi : 0.0;
            p[i] = inverse[i] * v[i];
            q[i] = inverse[i] * w[i];
        }
        steps = 0;
        history[0] = rho;
        while (rr > limit && rr < hopeless && divisor != 0.0 && steps < most) {
            double epsilon = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * p[column[k]];
                ap[i] = sum;
                epsilon += q[i] * sum;
            }
            double beta = delta != 0.0 ? epsilon / delta : 0.0, vv = 0.0;
            zz = 0.0;
            vz = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int k = t_start[i]; k < t_start[i + 1]; k++)
                    sum += t_value[k] * q[t_column[k]];
                w[i] = sum - beta * w[i];
                v[i] = ap[i] - beta * v[i];
                vv += v[i] * v[i];
                zz += inverse[i] * w[i] * inverse[i] * w[i];
                vz += v[i] * inverse[i] * w[i];
            }
            double rho_old = rho, gamma_old = gamma, theta_old = theta, delta_old = delta;
            rho = sqrt(vv);
            xi = sqrt(zz);
            theta = beta != 0.0 ? rho / (gamma_old * fabs(beta)) : 0.0;
            gamma = 1.0 / sqrt(1.0 + theta * theta);
            double turn = gamma / gamma_old, kept = theta_old * gamma * theta_old * gamma;
            eta = beta != 0.0 ? -eta * rho_old / beta * turn * turn : 0.0;
            double by_rho = vv > 0.0 ? 1.0 / rho : 0.0, by_xi = zz > 0.0 ? 1.0 / xi : 0.0;
            delta = vz * by_rho * by_xi;
            double from_p = epsilon != 0.0 ? xi * delta / epsilon : 0.0;
            double from_q = epsilon != 0.0 ? rho * delta / epsilon : 0.0;
            rr = 0.0;
            for (int i = 0; i < n; i++) {
                d[i] = eta * p[i] + kept * d[i];
                s[i] = eta * ap[i] + kept * s[i];
                x[i] += d[i];
                r[i] -= s[i];
                rr += r[i] * r[i];
                v[i] *= by_rho;
                w[i] *= by_xi;
                p[i] = inverse[i] * v[i] - from_p * p[i];
                q[i] = inverse[i] * w[i] - from_q * q[i];
            }
            divisor = delta_old != 0.0 && epsilon != 0.0 ? (rr > limit ? fmin(rho, xi) : 1.0) : 0.0;
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
    free(t_value);
    free(t_start);
    free(t_column);
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
    real *inverse = malloc(n * sizeof *inverse);
    if (start && column && value && b && x && history && inverse) {
        diffusion(N, start, column, value);
        for (int i = 0; i < n; i++) {
            b[i] = 1.0;
            inverse[i] = 1.0 / 6.0;
        }
        steps = qmr(n, start, column, value, b, x, inverse, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "qmr: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("qmr: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
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
