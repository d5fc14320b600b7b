/* Solves A x = b by the method of conjugate gradients in mixed precision, with A symmetric and positive definite, in
 * compressed rows.
 *
 * The iterations are in `float` and move half of the bytes. What they add to x is kept apart, in y; where their residual has
 * become a tenth of the largest one since, y goes into the x of `double`, and the residual is computed anew from that x in
 * `double`. The directions go on, so that what the method has learned of A is not lost (reliable updates: Sleijpen and van der
 * Vorst, 1996; in mixed precision Clark et al., 2010; with new directions it would be iterative refinement, Buttari et al.,
 * 2008). It has converged where the residual in `double` says so.
 *
 * The matrix in `float` is D A D, where D has the square roots of `inverse`: with 1 / a[i][i], that is the Jacobi
 * preconditioner, for which no iteration has more to do. An iteration has two passes: the product with p + beta r, which is
 * made wherever it is read, and the update. The sums of Chronopoulos and Gear, as in cg.c, lose too many digits in `float`.
 * The main program solves Poisson's equation on a cube of N points a side, with a source of 1; the size is set with -DN=...
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10
#endif
#ifndef TOLERANCE
#define TOLERANCE 1e-10
#endif
#ifndef MAX_ITERATIONS
#define MAX_ITERATIONS 1000
#endif
/* The residual is computed anew where its square is less than so much of the largest one since. */
#ifndef RELIABLE
#define RELIABLE 1e-2
#endif
/* So often the residual in `double` may be larger than is asked for where that of the iterations is not: it is near to what
 * rounding x to `double` leaves, and more iterations would not help. */
#define MISSES 3

/* Improves x until the residual is at most tolerance times b, both in the 2-norm, or `most` iterations are done; returns
 * how many were, or -1 without memory. history[k] is the residual after k of them: as computed in `double` for the last one
 * (but after MISSES) and wherever else it was, and between as the iterations have it, which is that of D r, at the scale of the
 * last one computed. inverse[i] is 1 / a[i][i], or the same number for all i. *broken is set where p.Ap is not positive: A is
 * not positive definite, or not when it is rounded to `float`. */
int cg_mixed(int n, const int *start, const int *column, const double *value, const double *b, double *x,
             const double *inverse, double tolerance, int most, double *history, int *broken) {
    float *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p), *s = malloc(n * sizeof *s), *y = malloc(n * sizeof *y);
    float *low = malloc(start[n] * sizeof *low + 1);
    int steps = -1, before = -1, misses = 0;
    *broken = 0;
    if (r && p && s && y && low) {
        double bb = 0.0, rr = 0.0, cc = 0.0, curvature = 1.0, beta = 0.0;
#pragma rt parallel
        for (int i = 0; i < n; i++)
            for (int k = start[i]; k < start[i + 1]; k++)
                low[k] = sqrt(fabs(inverse[i])) * value[k] * sqrt(fabs(inverse[column[k]]));
        for (int i = 0; i < n; i++)
            bb += b[i] * b[i];
        /* The unit of r, so that no b is too small or too large for `float`. */
        double unit = bb > 0.0 ? sqrt(bb) : 1.0;
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            float scaled = sqrt(fabs(inverse[i])) * (sum / unit);
            r[i] = scaled;
            p[i] = 0.0f;
            y[i] = 0.0f;
            rr += sum * sum;
            cc += (double)scaled * scaled;
        }
        double limit = tolerance * tolerance * bb, hopeless = 1e16 * (rr + bb);
        steps = 0;
        history[0] = sqrt(rr);
        /* Where `float` has no such small numbers, no step is made any more. */
        while (rr > limit && misses < MISSES && rr < hopeless && curvature > 0.0 && steps < most && steps > before) {
            before = steps;
            double scale = rr / cc, largest = cc;
            while (cc * scale > limit && cc > RELIABLE * largest && cc * scale < hopeless && curvature > 0.0 && steps < most) {
                float low_beta = beta;
                curvature = 0.0;
                for (int i = 0; i < n; i++) {
                    double sum = 0.0, own = r[i] + low_beta * p[i];
                    for (int k = start[i]; k < start[i + 1]; k++)
                        sum += low[k] * (r[column[k]] + low_beta * p[column[k]]);
                    s[i] = sum;
                    curvature += own * sum;
                }
                float alpha = curvature > 0.0 ? cc / curvature : 0.0;
                double cc_new = 0.0;
                for (int i = 0; i < n; i++) {
                    float new_p = r[i] + low_beta * p[i], new_y = y[i] + alpha * new_p, new_r = r[i] - alpha * s[i];
                    p[i] = new_p;
                    y[i] = new_y;
                    r[i] = new_r;
                    cc_new += (double)new_r * new_r;
                }
                beta = cc_new / cc;
                cc = cc_new;
                largest = cc > largest ? cc : largest;
                steps++;
                history[steps] = sqrt(scale * cc);
            }
            for (int i = 0; i < n; i++) {
                x[i] += unit * sqrt(fabs(inverse[i])) * y[i];
                y[i] = 0.0f;
            }
            double cc_new = 0.0;
            rr = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = b[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum -= value[k] * x[column[k]];
                float scaled = sqrt(fabs(inverse[i])) * (sum / unit);
                r[i] = scaled;
                rr += sum * sum;
                cc_new += (double)scaled * scaled;
            }
            misses += cc * scale <= limit && rr > limit;
            history[steps] = misses < MISSES ? sqrt(rr) : sqrt(scale * cc);
            beta = cc > 0.0 ? beta * (cc_new / cc) : 0.0;
            cc = cc_new;
        }
        *broken = !(curvature > 0.0);
    }
    free(r);
    free(p);
    free(s);
    free(y);
    free(low);
    return steps;
}

/* The example: the 7-point Laplacian on a cube of m points a side. */
static void poisson(int m, int *start, int *column, double *value) {
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
static double residual(int n, const int *start, const int *column, const double *value, const double *b,
                       const double *x) {
    double rr = 0.0, bb = 0.0;
    for (int i = 0; i < n; i++) {
        double r = b[i];
        for (int k = start[i]; k < start[i + 1]; k++)
            r -= value[k] * x[column[k]];
        rr += r * r;
        bb += b[i] * b[i];
    }
    return sqrt(rr / bb);
}

int main(void) {
    int n = N * N * N, broken = 0, steps = -1;
    int *start = malloc((n + 1) * sizeof *start), *column = malloc(7 * (size_t)n * sizeof *column);
    double *value = malloc(7 * (size_t)n * sizeof *value), *b = malloc(n * sizeof *b), *x = calloc(n, sizeof *x);
    double *history = malloc((MAX_ITERATIONS + 1) * sizeof *history), *inverse = malloc(n * sizeof *inverse);
    if (start && column && value && b && x && history && inverse) {
        poisson(N, start, column, value);
        for (int i = 0; i < n; i++) {
            b[i] = 1.0;
            inverse[i] = 1.0;
        }
        steps = cg_mixed(n, start, column, value, b, x, inverse, TOLERANCE, MAX_ITERATIONS, history, &broken);
    }
    if (steps < 0) {
        fprintf(stderr, "cg_mixed: not enough memory for n = %d\n", n);
        return 1;
    }
    double left = residual(n, start, column, value, b, x);
    printf("cg_mixed: n = %d, %d iterations, %s\n", n, steps, left <= 2 * TOLERANCE ? "solved" : "not solved");
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
