/* Functions that are called with one array for two parameters: what is read may be what is written, as long as no element is
   read after it was. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1000
#endif

static void waxpby(int n, double a, const double *x, double b, const double *y, double *w) {
    for (int i = 0; i < n; i++) // original: x and w overlap
        w[i] = a * x[i] + b * y[i];
}

/* Only one of the loops runs. */
static void special(int n, double a, const double *x, double b, const double *y, double *w) {
    if (a == 1.0) {
        for (int i = 0; i < n; i++)
            w[i] = x[i] + b * y[i];
    } else if (b == 1.0) {
        for (int i = 0; i < n; i++)
            w[i] = a * x[i] + y[i];
    } else {
        for (int i = 0; i < n; i++)
            w[i] = a * x[i] + b * y[i];
    }
}

static void shift_down(int n, const double *x, double *y) {
    for (int i = 0; i < n - 1; i++)
        y[i] = x[i + 1];
}

/* In place each element depends on the one before. */
static void shift_up(int n, const double *x, double *y) {
    for (int i = 1; i < n; i++) // original: x and y overlap
        y[i] = 0.5 * x[i - 1];
}

static void reverse_and_add(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) // original: x and y overlap
        y[i] = 2 * x[i];
    for (int i = 0; i < n; i++)
        y[i] += x[n - 1 - i];
}

/* The even ones are read, the odd ones written. */
static void interleave(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++)
        y[2 * i + 1] = x[2 * i] + 1.0;
    for (int i = 0; i < n; i++)
        y[2 * i + 1] *= x[2 * i];
}

static void scaled(int n, int m, double a[n][m], double b[n][m], double by) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = by * a[i][j];
}

/* Rows behind pointers: the same table, a table of the same rows in another order, and one that begins at another row. */
static void residual(int n, int m, double **u, double **v, double **r) {
    for (int i = 1; i < n - 1; i++) // original: v and r overlap
        for (int j = 1; j < m - 1; j++)
            r[i][j] = v[i][j] - 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

/* Each row by other elements. */
static void diagonal(int n, double **a, double **b) {
    for (int i = 0; i < n - 1; i++)
        b[i][i + 1] = a[i][i];
}

/* A thread goes on until it is content: in place it reads what it wrote. */
static void settle(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) { // original: x and y overlap
        double rest = 1.0;
        while (rest > 0.125) {
            y[i] = 0.25 * x[i];
            rest = y[i];
        }
    }
}

/* So it is here, but what it reads again is what it has in hand. */
static void halve_if_large(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double value = x[i];
        while (value > 0.5)
            value *= 0.5;
        y[i] = value;
    }
}

static void repeat(int count, int n, const double *x, double *y) {
    for (int t = 0; t < count; t++) // original: y and x overlap
        for (int i = 0; i < n; i++)
            y[i] = 0.5 * y[i] + x[i];
}

int main(void) {
    enum { ROWS = 40, COLUMNS = 30 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), *z = malloc(N * sizeof *z);
    for (int i = 0; i < N; i++)
        x[i] = i % 13, y[i] = i % 7, z[i] = 1.0;
#pragma rt host
    for (int t = 0; t < 4; t++) {
        waxpby(N, 1.0, x, 0.5, y, z);
        waxpby(N, 1.0, x, 0.25, z, z);
        waxpby(N, 0.5, z, 0.25, z, z);
        waxpby(N - 1, 0.5, z + 1, 0.25, y, z);
        special(N, 1.0, x, 0.25, z, z);
        special(N, 0.5, z, 1.0, x, z);
        special(N, 0.5, z, 0.25, z, z);
        shift_down(N, z, z);
        shift_up(N, z, y);
        shift_up(N, z, z);
        reverse_and_add(N, y, z);
        reverse_and_add(N, x, x);
        interleave(N / 2, z, z);
        scaled(N / 10, 10, (double(*)[10])x, (double(*)[10])x, 0.0625);
        repeat(3, N, x, y);
        repeat(3, N, x, x);
        settle(N, x, x);
        halve_if_large(N, z, z);
    }
    printf("%.9f %.9f %.9f %.9f\n", x[20], y[7], z[5], z[N - 2]);
    double *rows[4][ROWS];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < ROWS; i++) {
            rows[k][i] = malloc(COLUMNS * sizeof(double));
            for (int j = 0; j < COLUMNS; j++)
                rows[k][i][j] = (i * 5 + j * k) % 9; // decline: pointers behind rows of its own
        }
    double **u = rows[0], **v = rows[1], **r = rows[2], **turned = rows[3];
    for (int i = 0; i < ROWS; i++)
        turned[i] = r[ROWS - 1 - i]; // decline: a row of `turned` is given another place here
#pragma rt host
    for (int t = 0; t < 4; t++) {
        residual(ROWS, COLUMNS, u, v, r);
        residual(ROWS, COLUMNS, u, r, r);
        residual(ROWS - 1, COLUMNS - 1, u, r, r);
        residual(ROWS, COLUMNS, v, turned, r);
        residual(ROWS - 1, COLUMNS, u, r, r + 1);
        diagonal(COLUMNS, r, r);
    }
    printf("%.9f %.9f\n", r[3][4], r[ROWS - 5][20]);
    return 0;
}
