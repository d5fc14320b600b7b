/* Rows never meet, whatever the data say of their columns: loops that the data end, steps of any kind, sorts and scatters
 * within a row, of matrices and of rows that the program lays out itself. What leads out of a row is right all the same. */
#include <stdio.h>

#define N 70
#define M 50

static void until(int n, int m, double (*x)[M], double (*y)[M]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m && y[i][j] > 0; j++) x[i][j] += 1;
}

static void until_data_first(int n, int m, double (*x)[M], double (*y)[M]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; y[i][j] > 0 && j < m - 1; j++) x[i][j] = y[i][j];
}

static void by_size(int n, int m, int s, double (*x)[M]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += s) x[i][j] += i + j;
}

static void by_counter(int n, int m, double (*x)[M]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j += i) x[i][j] = i + j;
}

static void doubled(int n, int m, double (*x)[M]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j *= 2) x[i][j] += 3;
}

static void again(int n, int m, double (*x)[M]) {
    for (int i = 0; i < n; i++) {
        int j = 0;
        do {
            x[i][j] += 2;
            j += 1 + (x[i][j] > 7);
        } while (j < m);
    }
}

static void sorted(int n, int m, double (*x)[M]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            double v = x[i][j];
            int k = j - 1;
            while (k >= 0 && x[i][k] > v) {
                x[i][k + 1] = x[i][k];
                k--;
            }
            x[i][k + 1] = v;
        }
}

static void scattered(int n, int m, double (*x)[M], double (*y)[M], int *c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) x[i][c[k]] = y[i][k] + k;
}

static void summed(int n, int m, double (*x)[M], int *c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) x[i][c[k % 7]] += k;
}

static void gathered(int n, int m, double (*x)[M], double (*y)[M], int *r) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++) x[r[k]][j] = x[r[k]][j] * 0.5 + y[k][j];
}

static void planes(int n, int m, double (*x)[5][M / 5], int *c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) x[i][c[k] % 5][k] = i + k;
}

/* The same of rows in one array. */
static void one_until(int n, int m, double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m && y[i * m + j] > 0; j++) x[i * m + j] += 1;
}

static void one_by_size(int n, int m, int s, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += s) x[i * m + j] += i + j;
}

static void one_halved(long n, long m, double *x) {
    for (long i = 0; i < n; i++)
        for (long j = m - 1; j > 0; j /= 2) x[i * m + j] += 3;
}

static void one_shifted(int n, int m, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j <<= 1) x[i * m + j] += 3;
}

static void one_while(int n, int m, double *x, double *y) {
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < m && y[i * m + j] > 0) {
            x[i * m + j] = y[i * m + j] * 2;
            j++;
        }
    }
}

static void one_sorted(int n, int m, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            double v = x[i * m + j];
            int k;
            for (k = j; k > 0 && x[i * m + k - 1] > v; k--) x[i * m + k] = x[i * m + k - 1];
            x[i * m + k] = v;
        }
}

/* No limit: `j != 3` is passed by. */
static void not_held(int n, int m, double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 5; j != 3 && y[j] > 0; j++) x[i * m + j] += 1;
}

/* A limit behind the end of the row, for one of two calls. */
static void over(int n, int m, int k, double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k && y[i * m + j] > -5; j++) x[i * m + j] = x[i * m + j] * 0.5 + i;
}

/* Along the first row to all of them, beside a loop over rows. */
static void along(int n, int m, double (*x)[M], int *c) {
    for (int i = 0; i < n; i++) {
        (*x)[c[i] * m] += i;
        x[i][0] = x[i][0] * 0.5;
    }
}

static double x[N][M], y[N][M];
static int c[N];

int main(void) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            x[i][j] = (i * 7 + j * 13) % 11;
            y[i][j] = (i * 31 + j * 17) % 23 - 0.5;
        }
        c[i] = i * 37 % M;
    }
    until(N, M, x, y);
    until_data_first(N, M, x, y);
    by_size(N, M, 3, x);
    by_counter(N, M, x);
    doubled(N, M, x);
    again(N, M, x);
    sorted(N, M, x);
    scattered(N, M, x, y, c);
    summed(N, M, x, c);
    gathered(M, M, x, y, c);
    planes(N, M / 5, (double (*)[5][M / 5])x, c);
    one_until(N, M, x[0], y[0]);
    one_by_size(N, M, 3, x[0]);
    one_halved(N, M, x[0]);
    one_shifted(N, M, x[0]);
    one_while(N, M, x[0], y[0]);
    one_sorted(N, M, x[0]);
    not_held(4, M, x[0], y[0]);
    over(N - 2, M, M, x[0], y[0]);
    over(N - 2, M, M + 10, x[0], y[0]);
    along(N, 1, x, c);
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) sum = sum * 0.99 + x[i][j] * (1 + j % 7);
    printf("%.9g\n", sum);
    return 0;
}
