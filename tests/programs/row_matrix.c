// Matrices of row pointers as numerical codes of the nineties have them: beginning at 1, rows that are triangles, rows
// that are exchanged between two steps, and a box of pointers to pointers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48, STEPS = 6 };

// Rows 1 to n of elements 1 to m, in one block.
static double **matrix(int n, int m) {
    double **a = malloc((n + 1) * sizeof *a);
    double *block = malloc((size_t)n * m * sizeof **a);
    for (int i = 1; i <= n; i++) a[i] = block + (size_t)(i - 1) * m - 1;
    return a;
}

static void fill(int n, int m, double **a) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            a[i][j] = sin(0.3 * i * j) + (i == j ? n : 0);
}

static void product(int n, int m, int p, double **a, double **b, double **c) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            double sum = 0;
            for (int k = 1; k <= p; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

// Elimination with partial pivoting: whole rows change places, by their pointers.
static int eliminate(int n, double **a, int *order) {
    for (int k = 1; k <= n; k++) {
        int pivot = k;
        for (int i = k + 1; i <= n; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        if (a[pivot][k] == 0) return k;
        order[k] = pivot;
        double *row = a[pivot];
        a[pivot] = a[k];
        a[k] = row;
        for (int i = k + 1; i <= n; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j <= n; j++)
                a[i][j] -= factor * a[k][j];
            a[i][k] = factor;
        }
    }
    return 0;
}

// Each row of a triangle is as long as it must be. The name is longer than what a name is given to.
static void triangle(int n, float **lower_triangle_of_the_matrix) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            lower_triangle_of_the_matrix[i][j] = lower_triangle_of_the_matrix[i][j] * 0.5f + i - j;
}

static void heat(int n, double **u, double **v) {
    for (int t = 0; t < STEPS; t++) {
        for (int i = 2; i < n; i++)
            for (int j = 2; j < n; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        double **next = v;
        v = u;
        u = next;
    }
}

static void smooth(int n, double ***q, double ***r) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                r[i][j][k] = 0.5 * q[i][j][k] + 0.25 * (q[i - 1][j][k] + q[i][j][k + 1]);
}

static double ***box(int n) {
    double ***q = malloc(n * sizeof *q);
    for (int i = 0; i < n; i++) {
        q[i] = malloc(n * sizeof **q);
        for (int j = 0; j < n; j++) q[i][j] = calloc(n, sizeof ***q);
    }
    return q;
}

int main(void) {
    double **a = matrix(N, N), **b = matrix(N, N), **c = matrix(N, N);
    double ***q = box(N / 2), ***r = box(N / 2);
    float *l[N];
    int order[N + 1];
    for (int i = 0; i < N; i++) l[i] = calloc(i + 1, sizeof **l);
    fill(N, N, a);
    fill(N, N, b);
    product(N, N, N, a, b, c);
    triangle(N, l);
    heat(N, a, b);
    double *row = c[2];
    c[2] = c[9], c[9] = row;
    int singular = eliminate(N, c, order);
    for (int i = 0; i < N / 2; i++)
        for (int j = 0; j < N / 2; j++) q[i][j][(i + j) % (N / 2)] = i + 1;
    smooth(N / 2, q, r);
    double sum = 0;
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= i; j++) sum += a[i][j] + b[i][j] + c[i][j] + l[i - 1][j - 1];
    printf("%d %.9g %.9g\n", singular, sum, r[3][4][5]);
    return 0;
}
