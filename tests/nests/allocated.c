/* Where only the data know how far a subscript leads, the program's own allocation says it; not where its size or the
   pointer is another by then. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { int first, count; } node;

static double gather(int n, int m) {
    node *p = (node *)malloc(sizeof(node) * n);
    double *x, *y = calloc(n * m, sizeof *y);
    if ((x = (double *)malloc((n + 1) * m * sizeof(double))) == NULL) return 0;
    bool *mask = (bool *)malloc(sizeof(bool) * n);
    int *to = malloc(n * sizeof(int));
    double(*rows)[m] = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) {
        p[i].first = i;
        p[i].count = i % 4;
        to[i] = i * 7 % n;
        mask[i] = i % 3 != 0;
    }
    for (int i = 0; i < (n + 1) * m; i++) x[i] = i;
    double s = printf("%d\n", n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) rows[i][j] = x[to[i] * m + j] + x[(to[i] + 1) * m + j];
    s += printf("%d\n", n);
    for (int i = 0; i < n; i++)
        if (mask[to[i]])
            for (int k = p[i].first; k < p[i].first + p[i].count && k < n; k++) y[i] += to[k] + rows[to[k]][0];
    for (int i = 0; i < n; i++) s += y[i];
    free(p); free(x); free(y); free(mask); free(to); free(rows);
    return s;
}

/* The number is less when the region comes, and the array as large as it was; then the name is another's. */
static double less(int n) {
    int *to = malloc(n * sizeof *to), *at = malloc(sizeof *at * n);
    double *x = malloc(n * sizeof *x), s = 0;
    for (int i = 0; i < n; i++) to[i] = n - 1 - i, at[i] = i, x[i] = i;
    {
        int n = 3;
        for (int i = 0; i < n; i++) s += x[at[to[i]]];
    }
    n /= 2;
    for (int i = 0; i < n; i++) s += x[at[to[i]]];
    free(to); free(at); free(x);
    return s;
}

/* In the second step the pointer leads to what is shorter. */
static double moved(int n, double *other, const int *to) {
    double *x = malloc(2 * n * sizeof *x), *kept = x, s = 0;
    for (int i = 0; i < 2 * n; i++) x[i] = i;
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < n; i++) s += x[to[i]];
        x = other;
        n /= 2;
    }
    free(kept);
    return s;
}

/* Where the extent is not what it was: changed under the condition that allocates, by a later declarator, behind a pointer,
 * and given back. */
typedef struct { int n; } size;
static void shrink(size *s) { s->n /= 4; }
static double changed(int n, const int *to) {
    int m = n;
    double *x, s = 0;
    if ((x = malloc(n * sizeof *x)) != NULL) {
        for (int i = 0; i < n; i++) x[i] = i;
        n = n / 4;
    }
    for (int i = 0; i < m; i++) s += x[to[i]];
    free(x);
    double *y = malloc(m * sizeof *y), *z = malloc((m /= 4) * sizeof *z);
    for (int i = 0; i < 4 * m; i++) y[i] = i;
    for (int i = 0; i < 4 * m; i++) s += y[to[i]];
    size of = {12};
    double *w = malloc(of.n * sizeof *w);
    for (int i = 0; i < 12; i++) w[i] = i;
    shrink(&of);
    for (int i = 0; i < 12; i++) s += w[to[i]];
    free(w);
    double *v = malloc(6000 * sizeof *v);
    for (int i = 0; i < 6000; i++) v[i] = i;
    free(v);
    for (int i = 0; i < 12; i++) s += to[i] > 99 ? v[to[i]] : 1;
    free(y);
    free(z);
    return s;
}

int main(void) {
    static double other[6] = {1, 2, 3, 4, 5, 6};
    static int to[12] = {5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5};
    printf("%g %g %g %g\n", gather(23, 4), less(20), moved(12, other, to), changed(12, to));
}
