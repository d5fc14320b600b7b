/* Jacobi's method on a sparse matrix in compressed rows; the diagonal is found among the entries of the row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 131
#endif
#define MOST 6
#define TOLERANCE 1e-9
#define MAX_SWEEPS 60

/* Rows of a diagonal and up to five other entries. Returns the number of entries. */
static int build(int n, int *start, int *column, double *value) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        start[i] = count;
        for (int k = 0; k < i * 7 % MOST; k++) {
            int j = (i + 1 + k * 23) % n;
            if (j == i)
                continue;
            column[count] = j;
            value[count] = -1.0 / (1 + k + i % 3);
            count++;
        }
        column[count] = i;
        value[count] = 5.0 + i % 4;
        count++;
    }
    start[n] = count;
    return count;
}

static int solve(int n, const int *start, const int *column, const double *value, const double *b, double *x,
                 double *x_new) {
    int sweeps = 0;
    double change = 1.0;
    while (change > TOLERANCE && sweeps < MAX_SWEEPS) {
        for (int i = 0; i < n; i++) {
            double sum = b[i], diagonal = 1.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                if (column[k] == i)
                    diagonal = value[k];
                else
                    sum -= value[k] * x[column[k]];
            x_new[i] = sum / diagonal;
        }
        change = 0.0;
        for (int i = 0; i < n; i++) {
            change = fmax(change, fabs(x_new[i] - x[i]));
            x[i] = x_new[i];
        }
        sweeps++;
    }
    return sweeps;
}

int main(void) {
    int *start = malloc((N + 1) * sizeof *start), *column = malloc(MOST * N * sizeof *column);
    double *value = malloc(MOST * N * sizeof *value), *b = malloc(N * sizeof *b);
    double *x = calloc(N, sizeof *x), *x_new = calloc(N, sizeof *x_new), check = 0.0;
    if (!start || !column || !value || !b || !x || !x_new)
        return 1;
    for (int i = 0; i < N; i++)
        b[i] = 1.0 + i * 13 % 17;
    build(N, start, column, value);
    int sweeps = solve(N, start, column, value, b, x, x_new);
    for (int i = 0; i < N; i++)
        check += x[i] * (1 + i % 7);
    printf("csr_jacobi %d sweeps, %.8e\n", sweeps, check);
    free(start);
    free(column);
    free(value);
    free(b);
    free(x);
    free(x_new);
    return 0;
}
