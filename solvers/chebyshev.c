/* Solves A x = b by Chebyshev's iteration, with A symmetric and positive definite, in compressed rows.
 *
 * Golub and Varga, 1961; no sums are needed to go on, but for the residual that ends it. The eigenvalues of A, each row
 * divided by its diagonal, must lie between `low` and `high`. Gershgorin's circles give `high`; `low` comes from a few steps
 * of Lanczos, whose smallest Ritz value is never below the smallest eigenvalue. The main program solves Poisson's equation
 * on a cube of N points a side; the size is set with -DN=...
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

#define MOST_LANCZOS 20

/* What matrices and vectors are made of; -DSINGLE halves what an iteration moves. Sums are double in any case. */
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif

/* The smallest eigenvalue of a symmetric tridiagonal matrix, by bisection over the signs of its Sturm sequence. */
static double smallest(int m, const double *diagonal, const double *off, double high) {
    double below = 0.0, above = high;
    for (int step = 0; step < 60; step++) {
        double at = 0.5 * (below + above), d = 1.0;
        int negative = 0;
        for (int j = 0; j < m; j++) {
            d = diagonal[j] - at - (j > 0 ? off[j - 1] * off[j - 1] / d : 0.0);
            if (d == 0.0)
                d = 1e-300;
            negative += d < 0.0;
        }
        if (negative > 0)
            above = at;
        else
            below = at;
    }
    return above;
}

/* The most that an eigenvalue can be by Gershgorin's circles, and the first step lengths of conjugate gradients, which
 * are the elements of Lanczos's tridiagonal matrix. Returns how many, -1 without memory; 0 where A is seen not to be
 * positive definite. */
static int lanczos(int n, const int *start, const int *column, const real *value, const real *b,
                   const real *inverse, int allowed, double *high, double *alphas, double *betas) {
    real *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
    double rz = 0.0, rz_first = 0.0, curvature = 1.0, most = 0.0;
    int steps = -1;
    if (r && p && q) {
        steps = 0;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += fabs(value[k]);
            most = fmax(most, fabs(inverse[i]) * sum);
        }
        for (int i = 0; i < n; i++) {
            r[i] = b[i];
            p[i] = inverse[i] * b[i];
            rz += b[i] * inverse[i] * b[i];
        }
        rz_first = rz;
        while (steps < allowed && rz > 1e-12 * rz_first && curvature > 0.0) {
            curvature = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum += value[k] * p[column[k]];
                q[i] = sum;
                curvature += p[i] * sum;
            }
            double alpha = curvature > 0.0 ? rz / curvature : 0.0, rz_new = 0.0;
            for (int i = 0; i < n; i++) {
                r[i] -= alpha * q[i];
                rz_new += r[i] * inverse[i] * r[i];
            }
            double beta = rz_new / rz;
            rz = rz_new;
            for (int i = 0; i < n; i++)
                p[i] = inverse[i] * r[i] + beta * p[i];
            alphas[steps] = alpha;
            betas[steps] = beta;
            steps++;
        }
        *high = most;
    }
    free(r);
    free(p);
    free(q);
    return curvature > 0.0 ? steps : 0;
}

/* Bounds of the eigenvalues of D^-1/2 A D^-1/2: the lower one 0 where A is seen not to be positive definite. Returns 0
 * without memory. */
static int eigenvalues(int n, const int *start, const int *column, const real *value, const real *b,
                       const real *inverse, double *low, double *high) {
    double alphas[MOST_LANCZOS], betas[MOST_LANCZOS], diagonal[MOST_LANCZOS], off[MOST_LANCZOS];
    int steps = lanczos(n, start, column, value, b, inverse, MOST_LANCZOS, high, alphas, betas);
    for (int j = 0; j < steps; j++) {
        diagonal[j] = 1.0 / alphas[j] + (j > 0 ? betas[j - 1] / alphas[j - 1] : 0.0);
        off[j] = sqrt(betas[j]) / alphas[j];
    }
    *low = steps > 0 ? smallest(steps, diagonal, off, *high) : 0.0;
    return steps >= 0;
}

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them, as the recurrence has it. inverse[i] is 1 / a[i][i].
 * *broken is set where a direction has no positive curvature: A is not positive definite. */
int chebyshev(int n, const int *start, const int *column, const real *value, const real *b, real *x,
              const real *inverse, double tolerance, int most, double *history, int *broken) {
    real *r = malloc(n * sizeof *r), *d = malloc(n * sizeof *d);
    double low = 0.0, high = 0.0;
    int steps = -1;
    *broken = 0;
    if (r && d && eigenvalues(n, start, column, value, b, inverse, &low, &high)) {
        double centre = 0.5 * (high + low), radius = 0.5 * (high - low), rr = 0.0, bb = 0.0, weight = 0.0, keep = 0.0;
        *broken = !(low > 0.0);
        int allowed = *broken ? 0 : most;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            r[i] = sum;
            d[i] = 0.0;
            rr += sum * sum;
            bb += b[i] * b[i];
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        steps = 0;
        history[0] = sqrt(rr);
        while (rr > limit && rr < hopeless && steps < allowed) {
            double share = steps == 0 ? 0.0 : steps == 1 ? 0.5 : 0.25;
            weight = 1.0 / (centre - share * radius * radius * weight);
            keep = weight * centre - 1.0;
            rr = 0.0;
            for (int i = 0; i < n; i++) {
                d[i] = keep * d[i] + weight * inverse[i] * r[i];
                x[i] += d[i];
            }
            for (int i = 0; i < n; i++) {
                double sum = b[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum -= value[k] * x[column[k]];
                r[i] = sum;
                rr += sum * sum;
            }
            steps++;
            history[steps] = sqrt(rr);
        }
    }
    free(r);
    free(d);
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
        steps = chebyshev(n, start, column, value, b, x, inverse, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "chebyshev: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("chebyshev: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
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
