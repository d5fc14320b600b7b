/* Sizes in arrays that the loops may overwrite by another name, or that are not there where the loops do not run. */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int dims[2]; int more[6]; } grid;
static int total, table[12];

static void count(const int *d, const int *x, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d[0]; j++)
            total -= x[j];
}

static void fill(const int *d, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d[1]; j++)
            table[i + j] = 2;
}

static void members(grid *g, grid *h) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < g->dims[1]; j++)
            h->dims[i] = j;
}

static void shrink(int d[2], int a[8]) {
    for (int i = 0; i < 8; i++)
        if (i < d[1])
            a[i] = 1;
}

static void bytes(const unsigned char *d, double *x) {
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < d[6]; j++)
            x[i] = 1.5 * i;
}

static void triangle(int n, const int *d, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < d[2]; k++)
                x[k] += i + j;
}

static void skipped(int n, int m, const int *d, double *x) {
    for (int i = 1; i < n; i++)
        for (int j = i; j < m; j++)
            for (int k = 0; k < d[2]; k++)
                x[k] += i + j;
}

static int changed(int n, int *d, double *x) {
    int i, last = 0;
    for (i = 0; i < n; i++)
        x[i] = d[0];
    if (n > 3)
        last = i;
    for (i = 0; i < d[1]; i++)
        x[i] += 1;
    d[1] = 1;
    for (i = 0; i < d[1]; i++)
        x[i] += 1;
    return last;
}

int main(void) {
    int x[9] = {1, 2, 3, 1, 2, 3, 1, 2, 3}, d[3] = {3, 2, 4};
    double y[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    count(d, x, 2);
    total = 6;
    count(&total, x, 2);
    table[3] = table[4] = 3;
    fill(table + 3, 5);
    fill(d, 5);
    grid g = {{2, 5}, {0}}, h = {{0, 0}, {0}};
    members(&g, &h);
    members(&g, &g);
    shrink(d, x);
    x[1] = 7;
    shrink(x, x);
    bytes((unsigned char *)y, y);
    triangle(0, NULL, y);
    triangle(1, NULL, y);
    triangle(4, d, y);
    skipped(1, 5, NULL, y);
    skipped(3, 1, NULL, y);
    skipped(3, 3, d, y);
    int last = changed(5, d, y);
    printf("%d %d %d %d %d %d\n", total, table[3], g.dims[0], g.dims[1], h.dims[1], last);
    for (int i = 0; i < 9; i++)
        printf("%d %g\n", x[i], y[i]);
    return 0;
}
