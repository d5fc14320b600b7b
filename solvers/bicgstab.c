/* Solves A x = b by the stabilised method of bi-conjugate gradients, with any A in compressed rows.
 *
 * Van der Vorst, 1992, with the inverse of the diagonal as preconditioner from the right (or ones: none), and as Yang and
 * Brent, 2002, with sums by which the next direction is known before the residual is: an iteration waits for the sums of
 * either product, and for the update of x, r and p in one pass. s = r - alpha v is computed where it is needed and never
 * stored. The main program solves a problem of diffusion with a wind on a cube of N points a side; the size is set with
 * -DN=...
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

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. inverse[i] is 1 / a[i][i],
 * or 1. *broken is set where the next direction would be divided by zero. */
int bicgstab(int n, const int *start, const int *column, const real *value, const real *b, real *x,
             const real *inverse, double tolerance, int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *shadow = malloc(n * sizeof *shadow), *p = malloc(n * sizeof *p);
    real *v = malloc(n * sizeof *v), *t = malloc(n * sizeof *t);
    int steps = -1;
    *broken = 0;
    if (r && shadow && p && v && t) {
        double rr = 0.0, rho = 0.0, bb = 0.0, divisor = 1.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            shadow[i] = sum;
            p[i] = sum;
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
                double sum = 0.0;
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * inverse[column[k]] * p[column[k]];
                v[i] = sum;
                along += shadow[i] * sum;
            }
            double alpha = along != 0.0 ? rho / along : 0.0, ss = 0.0, ts = 0.0, tt = 0.0, of_s = 0.0, of_t = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = 0.0, s = r[i] - alpha * v[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * inverse[column[k]] * (r[column[k]] - alpha * v[column[k]]);
                t[i] = sum;
                ss += s * s;
                ts += sum * s;
                tt += sum * sum;
                of_s += shadow[i] * s;
                of_t += shadow[i] * sum;
            }
            /* Where s is small enough, half a step is the last one. */
            double omega = ss > limit && tt > 0.0 ? ts / tt : 0.0;
            divisor = along != 0.0 && omega != 0.0 ? of_s - omega * of_t : 0.0;
            double beta = divisor != 0.0 ? divisor / rho * (alpha / omega) : 0.0;
            rr = 0.0;
            rho = 0.0;
            for (int i = 0; i < n; i++) {
                double s = r[i] - alpha * v[i], new_x = x[i] + inverse[i] * (alpha * p[i] + omega * s);
                double new_r = s - omega * t[i], new_p = new_r + beta * (p[i] - omega * v[i]);
                rr += new_r * new_r;
                rho += shadow[i] * new_r;
                x[i] = new_x;
                r[i] = new_r;
                p[i] = new_p;
            }
            /* Both are the same sum: one that rounding has made zero is no breakdown, and cannot be divided by. */
            rho = rho != 0.0 ? rho : divisor;
            steps++;
            history[steps] = sqrt(rr);
        }
        *broken = divisor == 0.0;
    }
    free(r);
    free(shadow);
    free(p);
    free(v);
    free(t);
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
        steps = bicgstab(n, start, column, value, b, x, inverse, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "bicgstab: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("bicgstab: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
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
