/* Elimination with a search for pivots, as it is written: the best value read at the best place so far, kept in a variable,
   or found in a function; rows exchanged element by element. Ties, zeros and what is no number have C's places. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 40
#endif

/* In place, with the pivots and the sign of the permutation. */
static int lu(int n, double a[n][n], int piv[n]) {
    int sign = 1;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[p][k]))
                p = i;
        piv[k] = p;
        if (p != k) {
            for (int j = 0; j < n; j++) {
                double t = a[p][j];
                a[p][j] = a[k][j];
                a[k][j] = t;
            }
            sign = -sign;
        }
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
    return sign;
}

/* With a right-hand side, in one block, all variables declared first. */
static void gauss(int n, double *a, double *b, double *x) {
    int i, j, k, p;
    double max, f, t, s;
    for (k = 0; k < n; k++) {
        max = 0.0;
        p = k;
        for (i = k; i < n; i++)
            if (fabs(a[i * n + k]) > max) {
                max = fabs(a[i * n + k]);
                p = i;
            }
        if (p != k) {
            for (j = k; j < n; j++) {
                t = a[p * n + j];
                a[p * n + j] = a[k * n + j];
                a[k * n + j] = t;
            }
            t = b[p];
            b[p] = b[k];
            b[k] = t;
        }
        for (i = k + 1; i < n; i++) {
            f = a[i * n + k] / a[k * n + k];
            for (j = k; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (i = n - 1; i >= 0; i--) {
        s = b[i];
        for (j = i + 1; j < n; j++)
            s -= a[i * n + j] * x[j];
        x[i] = s / a[i * n + i];
    }
}

static int find(float **a, int n, int k) {
    int p = k;
    for (int i = k + 1; i < n; i++)
        if (fabsf(a[p][k]) <= fabsf(a[i][k]))
            p = i;
    return p;
}

static void exchange(float **a, int n, int p, int k) {
    for (int j = 0; j < n; j++) {
        float t = a[p][j];
        a[p][j] = a[k][j];
        a[k][j] = t;
    }
}

/* By functions, over rows behind pointers; the last of the largest. */
static void by_rows(float **a, int n, int *perm) {
    int k = 0;
    while (k < n) {
        int p = find(a, n, k);
        perm[k] = p;
        if (p != k)
            exchange(a, n, p, k);
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
        k++;
    }
}

/* The smallest of the rest comes first. */
static void sort(long n, int *x) {
    for (long i = 0; i < n - 1; i++) {
        long m = i;
        for (long j = i + 1; j < n; j++)
            if (x[j] < x[m])
                m = j;
        int t = x[m];
        x[m] = x[i];
        x[i] = t;
    }
}

static int largest(int n, const double *x) {
    int at = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > x[at])
            at = i;
    return at;
}

static int last(int first, int n, const double *x) {
    int at = n;
    for (int i = n - 1; i >= first; i -= 2)
        if (x[at] <= x[i])
            at = i;
    return at;
}

/* Of each row: the rows are parallel. */
static void of_rows(int n, double a[n][n], int *at) {
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int j = 1; j < n; j++)
            if (a[i][j] < a[i][best])
                best = j;
        at[i] = best;
    }
}

/* Nothing near a tie at first; then ones that follow each other in each row, whose elimination is exact and full of ties,
   also with what is no number among them; then zeros. */
static double element(int i, int j, int round) {
    unsigned h = (i * N + j + 1) * 2654435761u;
    h = (h ^ h >> 15) * 2246822519u;
    int first = i * 7 % N, length = 1 + i * 5 % N;
    double x = first <= j && j < first + length ? 1.0 : 0.0;
    if (round == 0)
        x = (h >> 8) % 1000003 / 1000003.0 - 0.5;
    if (round == 2 && (i + j) % 9 == 0)
        x = (x - x) / (x - x);
    return round == 3 ? 0.0 : x;
}

int main(void) {
    double(*a)[N] = malloc(sizeof(double[N][N])), *flat = malloc(sizeof(double[N][N]));
    double *b = malloc(N * sizeof *b), *x = malloc(N * sizeof *x);
    float **rows = malloc(N * sizeof *rows);
    int *piv = malloc(N * sizeof *piv), *perm = malloc(N * sizeof *perm), *keys = malloc(N * sizeof *keys);
    if (!a || !flat || !b || !x || !rows || !piv || !perm || !keys)
        return 1;
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(N * sizeof **rows); // decline: `malloc` cannot be called on the device
        if (!rows[i])
            return 1;
    }
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                a[i][j] = element(i, j, round);
                flat[i * N + j] = a[i][j];
                rows[i][j] = (float)element(j, i, round);
            }
            b[i] = i % 7 - 3.0;
            keys[i] = i * 31 % 23;
        }
        of_rows(N, a, piv);
        long sum = 0;
        for (int i = 0; i < N; i++)
            sum += i * piv[i];
        int first = largest(N, b), at = last(2, N - 1, b), none = largest(0, b) + last(5, 5, b);
        int sign = lu(round == 3 ? 1 : N, a, piv);
        gauss(N, flat, b, x);
        by_rows(rows, round == 3 ? 0 : N, perm);
        sort(round == 3 ? 1 : N, keys);
        printf("%d %d %d %d %ld\n", sign, first, at, none, sum);
        for (int i = 0; i < N; i += 3)
            printf("%d %d %d %g\n", piv[i], round == 3 ? 0 : perm[i], keys[i], // decline: `printf` cannot be called on
                   round == 0 ? x[i] : 0.0);
    }
    for (int i = 0; i < N; i++)
        free(rows[i]); // decline: `free` cannot be called on the device
    free(a);
    free(flat);
    free(b);
    free(x);
    free(rows);
    free(piv);
    free(perm);
    free(keys);
    return 0;
}
