/* Powers of sparse matrices: rows of the same length, very uneven ones, empty ones, a part of them, wide offsets. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 211
#endif

/* y = A x, x = A y, in turns. */
static void even(int n, int steps, const int *start, const int *column, const double *value, double *x, double *y) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * x[i] + 0.5 * y[i];
    }
}

/* The rows from `first` on, but for the last; what the others have stays. */
static void some(int first, int n, int steps, const long *start, const int *column, const float *value, float *x,
                 float *y) {
    for (int t = 0; t < steps; t++) {
        for (int i = first; i < n - 1; i++) {
            float sum = 0.0f;
            for (long k = start[i]; k < start[i + 1]; k++)
                if (column[k] != i)
                    sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int i = first; i < n - 1; i++)
            x[i] = 0.25f * y[i];
    }
}

static int length(int i, int kind) {
    return kind == 0 ? 5 : kind == 1 ? (i % 64 == 7 ? 90 : i % 3) : 0;
}

int main(void) {
    int most = N * 5 + (N / 64 + 1) * 90;
    int *start = malloc((N + 1) * sizeof *start), *column = malloc(most * sizeof *column);
    long *wide = malloc((N + 1) * sizeof *wide);
    double *value = malloc(most * sizeof *value), *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    float *single = malloc(most * sizeof *single), *u = malloc(N * sizeof *u), *v = malloc(N * sizeof *v);
    if (!start || !column || !wide || !value || !x || !y || !single || !u || !v)
        return 1;
    for (int kind = 0; kind < 3; kind++) {
        int count = 0;
        for (int i = 0; i < N; i++) {
            wide[i] = start[i] = count;
            for (int k = 0; k < length(i, kind); k++) {
                column[count] = (i * 13 + k * 29) % N;
                single[count] = value[count] = 1.0 / (1 + (i + k) % 7);
                count++;
            }
        }
        wide[N] = start[N] = count;
        for (int i = 0; i < N; i++)
            u[i] = x[i] = (i * 37 % 101) / 101.0, v[i] = y[i] = 0.0;
        even(N, 4, start, column, value, x, y);
        even(0, 4, start, column, value, x, y);
        some(3, N, 3, wide, column, single, u, v);
        double check = 0.0;
        for (int i = 0; i < N; i++)
            check += x[i] + y[i] + u[i] + v[i];
        printf("%.6g\n", check);
    }
    free(start), free(column), free(wide), free(value), free(x), free(y), free(single), free(u), free(v);
    return 0;
}
