/* Jacobi's method with a matrix in compressed rows, of which some are far longer than the others: a warp sums up a piece of a
 * long one, and its thread adds up the pieces. The first row is a boundary, and no sum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1300
#endif
#define TOLERANCE 1e-9
#define MOST 60

/* The entries of a row beside its diagonal. */
static int others(int n, int i) {
    int wish = i == 17 ? n - 1 : i == n / 2 ? 700 : i % 97 == 0 ? 60 : i % 5;
    return wish < n ? wish : n - 1;
}

static int build(int n, int *start, int *column, double *value) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        start[i] = count;
        for (int k = 1; k <= others(n, i); k++) {
            column[count] = (i + k) % n;
            value[count++] = -0.5 / others(n, i) * (1 + k % 3) / 2;
        }
    }
    start[n] = count;
    return count;
}

static int solve(int n, const int *start, const int *column, const double *value, const double *inverse, const double *b,
                 double *x, double *residual, double *spread) {
    int sweeps = 0;
    double norm = 1.0;
    while (norm > TOLERANCE && sweeps < MOST) {
        norm = 0.0;
        for (int i = 1; i < n; i++) {
            double sum = b[i] - x[i], most = 1.0;
            for (int k = start[i]; k < start[i + 1]; k++) {
                double part = value[k] * x[column[k]];
                sum -= part;
                if (part < -0.01)
                    most -= part;
            }
            residual[i] = inverse[i] * sum;
            spread[i] = most;
            norm += sum * sum;
        }
        for (int i = 1; i < n; i++)
            x[i] += residual[i];
        norm = sqrt(norm);
        sweeps++;
    }
    return sweeps;
}

int main(void) {
    int *start = malloc((N + 1) * sizeof *start), *column = malloc((6 * N + 2000) * sizeof *column);
    double *value = malloc((6 * N + 2000) * sizeof *value), *inverse = malloc(N * sizeof *inverse);
    double *b = malloc(N * sizeof *b), *x = calloc(N, sizeof *x), *residual = calloc(N, sizeof *residual);
    double *spread = calloc(N, sizeof *spread), sum = 0.0, most = 0.0;
    if (!start || !column || !value || !inverse || !b || !x || !residual || !spread)
        return 1;
    build(N, start, column, value);
    for (int i = 0; i < N; i++) {
        inverse[i] = 1.0 - 0.01 * (i % 2);
        b[i] = 1.0 + i * 13 % 17;
    }
    int sweeps = solve(N, start, column, value, inverse, b, x, residual, spread);
    for (int i = 0; i < N; i++) {
        sum += x[i] * (1 + i % 7);
        most += spread[i];
    }
    printf("power_rows: %d sweeps, %.8e, %.8e\n", sweeps, sum, most);
    free(start);
    free(column);
    free(value);
    free(inverse);
    free(b);
    free(x);
    free(residual);
    free(spread);
    return 0;
}
