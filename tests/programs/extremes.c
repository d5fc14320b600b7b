/* Where the largest or the smallest value is: the first place, the last one, and what is no number beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 3000
#endif

static int largest(int n, const double *x) {
    double best = -1.0;
    int at = -1;
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) > best) {
            best = fabs(x[i]);
            at = i;
        }
    return at;
}

/* The value of the iteration in a variable, the first element before the loop, and the value that was found. */
static int smallest(int n, const float *x, float *value) {
    int at = 0;
    float best = x[0];
    for (int i = 1; i < n; i++) {
        float here = x[i];
        if (best > here) {
            at = i;
            best = here;
        }
    }
    *value = best;
    return at;
}

/* The last of the largest, with what stands beside it. */
static long last(long n, const double *x, const int *kind, int *beside) {
    double best = -INFINITY;
    long at = -1;
    int k = 0;
#pragma rt shape(kind: n)
    for (long i = 0; i < n; i++)
        if (x[i] >= best)
            best = x[i], at = i + 1, k = kind[i];
    *beside = k;
    return at;
}

static long last_of_all(long n, const double *x, const int *kind, int *beside) {
    double best = -INFINITY;
    long at = -1;
    int k = 0;
#pragma rt shape(kind: n)
    for (long i = 0; i < n; i++)
        if (x[i] >= best) {
            best = x[i];
            k = kind[i];
            at = 2 * i + 1;
        }
    *beside = k;
    return at;
}

/* From the end, every third; and of integers. */
static int falling(int n, const int *x) {
    int best = 1000000, at = n;
    for (int i = n - 1; i >= 0; i -= 3) // decline: what must hold of the sizes here depends on `n`
        if (x[i] < best) {
            best = x[i];
            at = i;
        }
    return at;
}

static int falling_last(int n, const int *x) {
    int best = 1000000, at = n;
    for (int i = n - 1; i > 0; i -= 2)
        if (best >= abs(x[i])) {
            best = abs(x[i]);
            at = i;
        }
    return at;
}

static size_t by_size(size_t n, const double *x, const double *y) {
    double best = 0.0;
    size_t at = n;
    for (size_t i = 0; i < n; i++)
        if (best < x[i] - y[i]) {
            best = x[i] - y[i];
            at = i;
        }
    return at;
}

/* Again and again, in a loop that looks at what was found. */
static int taken(int n, double *x) {
    int sum = 0;
    double best = 1.0;
#pragma rt shape(x: n)
    while (best > 0.5 && sum < 20000) {
        int at = 0;
        best = -1.0;
        for (int i = 0; i < n; i++)
            if (x[i] > best) {
                best = x[i];
                at = i;
            }
        sum += at;
        x[at] = 0.9 * best;
    }
    return sum;
}

/* Of each row: the rows are parallel. */
static void of_rows(int n, int m, double a[n][m], int at[n]) {
    for (int i = 0; i < n; i++) {
        double best = a[i][0];
        int where = 0;
        for (int j = 1; j < m; j++)
            if (a[i][j] > best) {
                best = a[i][j];
                where = j;
            }
        at[i] = where;
    }
}

int main(void) {
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    float *f = malloc(N * sizeof *f);
    int *k = malloc(N * sizeof *k), *rows = malloc(50 * sizeof *rows);
    if (!x || !y || !f || !k || !rows)
        return 1;
    double zero = 0.0 * N;
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < N; i++) {
            x[i] = (i * 37 + round) % 101 - 50.0;
            y[i] = (i * 53) % 97;
            f[i] = (float)((i * 41) % 103) - 7.0f * round;
            k[i] = (i * 59) % 211 - 80;
        }
        // What is no number, an infinity and both zeros.
        if (round == 1)
            x[0] = x[7] = x[N - 1] = f[0] = NAN;
        if (round == 2)
            for (int i = 0; i < N; i++)
                x[i] = f[i] = zero / zero;
        if (round == 3)
            for (int i = 0; i < N; i++)
                x[i] = f[i] = -0.0 * (i % 2);
        if (round == 4)
            x[N / 2] = INFINITY, x[N / 3] = -INFINITY, f[N / 2] = -INFINITY;
        int n = round == 5 ? 0 : N, beside = 0, other = 0;
        float value = 0.0f;
        int small = smallest(n, f, &value);
        long first_last = last(n, x, k, &beside), all = last_of_all(n, x, k, &other);
        printf("%d %d %g %ld %d %ld %d\n", largest(n, x), small, value, first_last, beside, all, other);
        printf("%d %d %zu\n", falling(n, k), falling_last(n, k), by_size(n, x, y));
        if (round == 0)
            printf("%d\n", taken(N / 10, x));
    }
    of_rows(50, N / 50, (void *)y, rows);
    int sum = 0;
    for (int i = 0; i < 50; i++)
        sum += i * rows[i];
    printf("%d\n", sum);
    free(x);
    free(y);
    free(f);
    free(k);
    free(rows);
    return 0;
}
