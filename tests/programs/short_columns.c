/* Time loops over sparse matrices in compressed rows: those whose columns lie near each other, and those in which one is just too
 * far away for a distance in 16 bits; rows whose entries stand in any order, rows of none; columns that change between calls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Damped sweeps over the rows until they change little: how many is not known before. */
static int sweep(int n, int all, const int *start, const int *column, const double *value, double *x, double *y,
                 double least, int most) {
    int steps = 0;
    double change = 2.0 * least;
    while (change > least && steps < most) {
        change = 0.0;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
            change += fabs(sum);
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * x[i] + 0.25 * y[i];
        change += x[all - 1];
        steps++;
    }
    return steps;
}

/* A product with a matrix, then with its rows by other numbers: two arrays of columns, longer ones. */
static void alternate(long n, int steps, const long *start, const long *forth, const unsigned *back, const double *value,
                      double *x, double *y) {
    for (int t = 0; t < steps; t++) {
        for (long i = 0; i < n; i++) {
            double sum = 0.0;
            for (long k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[forth[k]];
            y[i] = sum;
        }
        for (long i = 0; i < n; i++) {
            double sum = 0.0;
            for (long k = start[i]; k < start[i + 1]; k++)
                if (value[k] > 0.0)
                    sum += value[k] * y[back[k]];
            x[i] = 0.1 * sum;
        }
    }
}

static double checksum(int n, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (1 + i % 13) * x[i];
    return sum;
}

enum { ROWS = 300, ALL = 140000 };
static int start[ROWS + 1], column[8 * ROWS];
static long start_long[ROWS + 1], forth[8 * ROWS];
static unsigned back[8 * ROWS];
static double value[8 * ROWS], x[ALL], y[ALL];

/* Rows of a band, some of them empty; in some one entry that is `far` from the one before, or the diagonal first. */
static void rows(int n, int far, int is_diagonal_first) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        start[i] = count;
        if (i % 11 == 3)
            continue;
        if (is_diagonal_first)
            column[count++] = i;
        for (int d = -2; d <= 2; d++)
            if (i + 3 * d >= 0 && i + 3 * d < n && (d != 0 || !is_diagonal_first))
                column[count++] = i + 3 * d;
        if (far > 0 && i % 50 == 1) {
            column[count] = column[count - 1] + far;
            count++;
        }
        if (far < 0 && i == n - 1)
            column[count++] = 0;
    }
    start[n] = count;
    for (int k = 0; k < count; k++)
        value[k] = k % 5 == 2 ? -0.25 : 0.125 + 0.01 * (k % 7);
}

static void show(const char *what, int n, int steps) {
    printf("%s: %d rows, %d steps, %.9g\n", what, n, steps, checksum(ALL, x));
}

static void begin(void) {
    for (int i = 0; i < ALL; i++)
        x[i] = i % 17 - 8, y[i] = 0.0;
}

int main(void) {
    for (int n = 1; n <= ROWS; n = 2 * n + 57) {
        const int fars[] = {0, 1, 65535, 65536, 65538, 65539, 131072};
        for (int f = 0; f < 7; f++) {
            begin();
            rows(n, fars[f], f % 2);
            show("sweep", n, sweep(n, ALL, start, column, value, x, y, 1e-3, 3 + f));
        }
        for (int k = 0; k < start[n]; k++)
            column[k] = ALL - 1 - column[k];
        show("back", n, sweep(n, ALL, start, column, value, x, y, 1e-3, 3));
        for (int is_far = 0; is_far < 2; is_far++) {
            begin();
            rows(n, 0, 1);
            for (int i = 0; i <= n; i++)
                start_long[i] = start[i];
            for (int k = 0; k < start[n]; k++)
                forth[k] = column[k] + 70000L * is_far * (k % 9 == 4), back[k] = n - 1 - column[k];
            alternate(n, 4 + is_far, start_long, forth, back, value, x, y);
            show("alternate", n, 4 + is_far);
        }
    }
    rows(0, 0, 0);
    begin();
    show("none", 0, sweep(0, ALL, start, column, value, x, y, 1e-3, 2));
    return 0;
}
