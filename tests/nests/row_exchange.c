/* Matrices of row pointers whose rows a loop exchanges: their elements change places on the device, and the pointers
   follow. What lies in a row beside what is touched goes with its pointer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 41
#define M 48

/* C as it was written for long: variables at the top, an assignment in the condition, a counter that holds a row for a
   while, a way out. */
static int factor(double **a, int n, double small, int *row) {
    int i, j, k, best;
    double most, size, *held;
    for (i = 0; i <= n; i++)
        row[i] = i;
    for (i = 0; i < n; i++) {
        most = 0.0;
        best = i;
        for (k = i; k < n; k++)
            if ((size = fabs(a[k][i])) > most) {
                most = size;
                best = k;
            }
        if (most < small)
            return 0;
        if (best != i) {
            j = row[i];
            row[i] = row[best];
            row[best] = j;
            held = a[i];
            a[i] = a[best];
            a[best] = held;
            row[n]++;
        }
        for (j = i + 1; j < n; j++) {
            a[j][i] /= a[i][i];
            for (k = i + 1; k < n; k++)
                a[j][k] -= a[j][i] * a[i][k];
        }
    }
    return 1;
}

static void swap(double **x, double **y) {
    double *t = *x;
    *x = *y;
    *y = t;
}

/* From one on, a column more than rows, by a function. */
static void triangle(double **a, int n) {
    for (int k = 1; k < n; k++) {
        int p = k;
        for (int i = k + 1; i <= n; i++)
            if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
        swap(&a[p], &a[k]);
        for (int i = k + 1; i <= n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j <= n + 1; j++) a[i][j] -= f * a[k][j];
        }
    }
}

/* Rows in the order of their first elements. */
static void sort(int n, double *a[N]) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (a[j][0] > a[j + 1][0]) {
                double *t = a[j + 1];
                a[j + 1] = a[j];
                a[j] = t;
            }
}

/* No place is known beforehand. */
static void shuffle(double **a, int n, int m, const int *from, const int *to) {
    for (int k = 0; k < n; k++) {
        double *t = a[from[k]];
        a[from[k]] = a[to[k]];
        a[to[k]] = t;
        for (int j = 0; j < m; j++) a[k][j] += k;
    }
}

/* The row is still known by its pointer when it lies elsewhere. */
static void known(double **a, int n) {
    for (int k = 0; k + 1 < n; k++) {
        double *t = a[k];
        a[k] = a[k + 1];
        a[k + 1] = t;
        for (int j = 0; j < n; j++) t[j] += 1;
    }
}

/* Not all that is touched of a row is touched where rows change places. */
static void wide(double **a, int n, int m) {
    for (int k = 0; k + 1 < n; k++) {
        if (a[k][0] < a[k + 1][0]) {
            double *t = a[k];
            a[k] = a[k + 1];
            a[k + 1] = t;
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) a[i][j] = a[i][j - 1] + a[i][j];
}

static void show(const char *what, double **a, double block[N][M]) {
    double all = 0, ordered = 0;
    long places = 0;
#pragma rt host
    for (int i = 0; i < N; i++) {
        places += (a[i] - block[0]) / M * (i + 1);
        for (int j = 0; j < M; j++) {
            all += block[i][j] * (i + 2 * j);
            ordered += a[i][j] * (2 * i + j);
        }
    }
    printf("%s: %.17g %.17g %ld\n", what, all, ordered, places);
}

int main(void) {
    static double block[N][M];
    double *a[N];
    int row[N + 1], from[N], to[N];
    for (int i = 0; i < N; i++) {
        a[i] = block[i];
        from[i] = i * 7 % N;
        to[i] = (i * 11 + 3) % N;
        for (int j = 0; j < M; j++) block[i][j] = (i * 7919 + j * 104729) % 1013 / 16.0 - 20 + (j == i * 5 % N) * 90;
    }
    printf("%d\n", factor(a, N, 1e-10, row));
    show("factor", a, block);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) a[i][j] = (i * 7907 + j * 104723) % 1019 / 8.0 - 60 + (j == i * 3 % N) * 200;
    triangle(a, N - 3);
    show("triangle", a, block);
    sort(N, a);
    show("sort", a, block);
    shuffle(a, N, M - 5, from, to);
    show("shuffle", a, block);
    known(a, N);
    show("known", a, block);
    wide(a, N, M);
    show("wide", a, block);
    for (int i = 0; i < N; i++) a[i][3] = a[i][4] = 0;
    printf("%d\n", factor(a, N, 1e-10, row));
    show("singular", a, block);
    return row[N] > 0 ? 0 : 1;
}
