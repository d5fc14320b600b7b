/* Pointers declared at the top of a function, and set to places in arrays by statements of their own. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 60, M = 40 };

struct cell {
    int kind;
    double x, y;
};

static void rows(int n, int m, double *a, const double *b) {
    double *row;
    const double *before, *source;
    int i, j;
    for (i = 1; i < n; i++) {
        row = a + i * m;
        source = &b[i * m];
        before = b + (i - 1) * m;
        for (j = 0; j < m; j++)
            row[j] = source[j] + 0.5 * before[j];
    }
}

static void cells(struct cell *all, int n) {
    struct cell *p;
    int i;
    for (i = 0; i < n; i++) {
        p = all;
        p[i].x += 0.25 * p[i].kind;
        p[i].y -= p[i].x;
    }
    for (i = 0; i < n; i++) {
        p = all + i;
        p->y *= 2.0;
    }
}

/* The pointer is wanted behind the loop. */
static double last(int n, int m, double *a) {
    double *row = a;
    int i, j;
    for (i = 0; i < n; i++) {
        row = a + i * m;
        for (j = 0; j < m; j++)
            row[j] += 1.0;
    }
    return row[3];
}

/* It is read before it is set: what the iteration before left. */
static void shifted(int n, int m, double *a) {
    double *row = a;
    int i, j;
    for (i = 1; i < n; i++) {
        for (j = 0; j < m; j++)
            row[j] += 2.0;
        row = a + i * m;
        for (j = 0; j < m; j++)
            row[j] *= 0.5;
    }
}

/* The place is another one by then. */
static void moved(int n, int m, double *a, double *b) {
    double *row, *t;
    int i, j, k = 0;
    for (i = 0; i < n; i++) {
        row = a + k * m;
        k = n - 1 - i;
        for (j = 0; j < m; j++)
            row[j] += k;
    }
    for (i = 0; i < n; i++) {
        row = a;
        t = a;
        a = b;
        b = t;
        for (j = 0; j < m; j++)
            row[i * m + j] += a[i * m + j];
    }
}

/* Only sometimes. */
static void chosen(int n, int m, double *a, double *b) {
    double *row = b;
    int i, j;
    for (i = 0; i < n; i++) {
        if (i % 3 == 0)
            row = a + i * m;
        for (j = 0; j < m; j++)
            row[j] += 1.0;
    }
}

/* Through another one, and a table of rows. */
static double table(int n, int m, double *a) {
    double **t = malloc(n * sizeof *t), *row, *p, sum = 0.0;
    int i, j;
    if (!t)
        return 0.0;
    for (i = 0; i < n; i++)
        t[i] = a + i * m;
    for (i = 0; i < n; i++) {
        row = t[i];
        p = row + 1;
        for (j = 0; j < m - 1; j++)
            p[j] += row[0];
    }
    for (i = 0; i < n; i++) {
        row = t[i];
        for (j = 0; j < m; j++)
            sum += row[j];
    }
    free(t);
    return sum;
}

int main(void) {
    static double a[N * M], b[N * M];
    struct cell *all = malloc(N * sizeof *all);
    double sum = 0.0;
    if (!all)
        return 1;
    for (int i = 0; i < N * M; i++)
        a[i] = i % 17, b[i] = i % 5;
    for (int i = 0; i < N; i++)
        all[i].kind = i % 4, all[i].x = i, all[i].y = i % 3;
    rows(N, M, a, b);
    cells(all, N);
    sum += last(N, M, a);
    shifted(N, M, a);
    moved(N, M, a, b);
    chosen(N, M, a, b);
    sum += table(N, M, a);
    for (int i = 0; i < N * M; i++)
        sum += a[i] + b[i];
    for (int i = 0; i < N; i++)
        sum += all[i].x + all[i].y;
    printf("%.12g\n", sum);
    free(all);
    return 0;
}
