/* Loops that an error leaves by `return` or the end of the program: converted as if there were none, and run again where
   there is one. What is no error, or would do harm if it were passed over, stays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 45

/* An elimination that says which pivot is zero. */
static int eliminate(int n, double a[n][n], double *b) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
        if (fabs(a[p][k]) < 1e-12) {
            fprintf(stderr, "no pivot in column %d\n", k);
            return k + 1;
        }
        if (p != k) {
            for (int j = 0; j < n; j++) {
                double t = a[p][j];
                a[p][j] = a[k][j];
                a[k][j] = t;
            }
            double t = b[p];
            b[p] = b[k];
            b[k] = t;
        }
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    return 0;
}

/* A factor of what is not positive definite; two ways out. */
static int factor(int n, double *a) {
    int i, j, k;
    double sum;
    for (i = 0; i < n; i++) {
        for (j = i; j < n; j++) {
            sum = a[i * n + j];
            for (k = i - 1; k >= 0; k--) sum -= a[i * n + k] * a[j * n + k];
            if (i == j) {
                if (sum <= 0.0)
                    return -1;
                a[i * n + i] = sqrt(sum);
            } else
                a[j * n + i] = sum / a[i * n + i];
        }
        if (a[i * n + i] > 1e6) exit(3);
    }
    return 0;
}

/* What is hoped for: no error. */
static int relax(int n, int steps, double *x, double *y) {
    for (int t = 0; t < steps; t++) {
        double change = 0;
        for (int i = 1; i < n - 1; i++) y[i] = 0.5 * (x[i - 1] + x[i + 1]);
        for (int i = 1; i < n - 1; i++) {
            change += fabs(y[i] - x[i]);
            x[i] = y[i];
        }
        if (change < 1e-3) return t;
    }
    return steps;
}

/* Behind the error lies memory of nobody. */
static int gather(int n, const int *at, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        int k = at[i];
        if (k < 0) return i;
        y[i] = x[k];
    }
    return n;
}

/* Without the error nothing is divided by. */
static int shares(int n, const int *x, const int *by, int *y) {
    for (int i = 0; i < n; i++) {
        if (by[i] == 0) return i;
        y[i] = x[i] / by[i];
    }
    return n;
}

/* A search. */
static int differ(int n, const double *x, const double *y) {
    for (int i = 0; i < n; i++)
        if (x[i] != y[i]) return i;
    return -1;
}

static double a[N][N], b[N], c[N * N], x[N], y[N];
static int at[N], some[N], by[N];

static void set(int is_singular) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j * 13) % 31 - 15 + (i == (j + 5) % N ? 40 : 0);
            if (is_singular && i % 4 == 3) a[i][j] = (i - 2) * (j + 1);
            c[i * N + j] = i == j ? (is_singular && i == 30 ? -9 : 4) : 0; // its factor is exact
        }
        b[i] = i % 5;
        x[i] = y[i] = i % 9;
        at[i] = is_singular && i == 20 ? -200000000 : (i * 3) % N;
        some[i] = 100 * i;
        by[i] = is_singular && i == 17 ? 0 : i + 1;
    }
}

int main(void) {
    for (int is_singular = 0; is_singular < 2; is_singular++) {
        set(is_singular);
        printf("%d", eliminate(N, a, b));
        printf(" %d", factor(N, c));
        printf(" %d", relax(N, 40, x, y));
        printf(" %d", gather(N, at, x, y));
        printf(" %d", shares(N, some, by, at));
        printf(" %d", differ(N, x, y));
        printf(" %.6g %.6g %.6g %.6g %d\n", a[N - 1][N - 1], b[3], c[0], x[9] + y[9], at[5]);
    }
    return 0;
}
