/* Rows whose first and last elements are not computed: vectors some of whose points are outside, rows that are whole vectors and
 * others, some without a point inside, and points that lanes share out where no vectors serve. */
#include <stdio.h>
#include <stdlib.h>

static int n_calls;
static double sum(const double *a, long n) {
    double out = 0;
    for (long i = 0; i < n; i++)
        out += a[i] * (double)(i % 11 + 1);
    return out;
}

/* Neighbours along all three axes. */
static void star(int n, int m, double (*a)[n][m], double (*b)[n][m]) {
#pragma rt skew(i: 2, j: 2, k: 4)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < m - 1; k++)
                b[i][j][k] = 2 * a[i][j][k] + a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] +
                             3 * a[i][j][k - 1] + 5 * a[i][j][k + 1];
}

/* Elements outside stay as they were, beside those inside of the same vector. */
static void update(int n, int m, double (*a)[m], double (*b)[m]) {
#pragma rt skew(i: 2, j: 4)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] += a[i][j] - a[i][j - 1];
}

/* One end alone: the last vector is whole, or the first. */
static void ends(int n, int m, double (*a)[m], double (*b)[m], double (*c)[m]) {
#pragma rt skew(i: 2, j: 2)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j] + 2 * a[i - 1][j] + a[i][j - 1];
#pragma rt skew(j: 4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m - 3; j++)
            c[i][j] = a[i][j] + 2 * a[i][j + 1] + 3 * a[i][j + 3];
}

/* Two arrays are stored; a condition that the data decide; a row that begins where no vector does. */
static void several(int n, int m, double (*a)[m], double (*b)[m], double (*c)[m]) {
#pragma rt skew(j: 4)
    for (int i = 0; i < n; i++)
        for (int j = 2; j < m - 2; j++) {
            double u = a[i][j - 2], v = a[i][j + 2], x = a[i][j] > 3 ? u : v;
            b[i][j] = x + 1;
            c[i][j] = 2 * x + b[i][j];
        }
#pragma rt skew(j: 4)
    for (int i = 0; i < n; i++)
        for (int j = 5; j < m - 1; j++)
            b[i][j] = a[i][j] + c[i][j];
}

/* Rows in one block with room behind them, and a triangle. */
static void flat(int n, int m, double *a, double *b, double (*c)[m]) {
#pragma rt skew(j: 4)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            b[i * m + j] = a[i * m + j - 1] + 2 * a[i * m + j + 1];
    for (int i = 0; i < n; i++)
        for (int j = i; j < m; j++)
            c[i][j] = 3 * a[i * m + j];
}

static void all(int n, int m) {
    long cells = (long)n * n * m;
    double *x[3];
    for (int k = 0; k < 3; k++) {
        x[k] = malloc(cells * sizeof(double));
        for (long i = 0; i < cells; i++)
            x[k][i] = (double)((i * 7 + k) % 13);
    }
    star(n, m, (void *)x[0], (void *)x[1]);
    printf("%d %d: %.0f", n, m, sum(x[1], cells));
    update(n, m, (void *)x[0], (void *)x[1]);
    printf(" %.0f", sum(x[1], cells));
    ends(n, m, (void *)x[0], (void *)x[1], (void *)x[2]);
    printf(" %.0f %.0f", sum(x[1], cells), sum(x[2], cells));
    several(n, m, (void *)x[0], (void *)x[1], (void *)x[2]);
    printf(" %.0f %.0f", sum(x[1], cells), sum(x[2], cells));
    flat(n, m, x[0], x[1], (void *)x[2]);
    printf(" %.0f %.0f\n", sum(x[1], cells), sum(x[2], cells));
    n_calls += 8;
    for (int k = 0; k < 3; k++)
        free(x[k]);
}

int main(void) {
    int size[][2] = {{3, 3}, {5, 8}, {6, 9}, {4, 64}, {9, 66}, {7, 131}, {10, 132}, {6, 2}, {7, 4}};
    for (int k = 0; k < 9; k++)
        all(size[k][0], size[k][1]);
    printf("%d calls\n", n_calls);
    return 0;
}
