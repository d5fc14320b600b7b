// Arrays: how large they are, and the rows that pointers lead to.
#include <stdio.h>
#include <stdlib.h>

enum { N = 120, M = 8 };

struct matrix { double **rows; };

// declined: how much of `a.rows` is used cannot be seen from its subscripts
// remedy: say how large it is: #pragma rt shape(a.rows: ROWS, COLUMNS)
static void member_rows(int n, const int *k, double *x, struct matrix a) {
#ifdef REMEDY
#pragma rt shape(a.rows: N, n)
#endif
    for (int i = 0; i < n; i++)
        x[i] = a.rows[k[i]][i];
}

// declined: how much of `a` is used cannot be seen from its subscripts
// remedy: say how large it is: #pragma rt shape(a: ROWS, COLUMNS)
static void rows(int n, const int *k, double *x, double **a) {
#ifdef REMEDY
#pragma rt shape(a: N, n)
#endif
    for (int i = 0; i < n; i++)
        x[i] = a[k[i]][i];
}

// declined: how much of `x` is used cannot be seen from its subscripts
// remedy: say how large it is: #pragma rt shape(x: LENGTH)
static void until_it_ends(int n, const int *p, double *x, double *y) {
    double rest = 1;
#ifdef REMEDY
#pragma rt shape(x: n)
#endif
    while (rest > 0.5) {
        rest = 0;
        for (int i = 0; i < n; i++) {
            y[i] = 0.5 * y[i] + x[p[i]];
            rest += y[i];
        }
    }
}

// declined: only the data decide whether `a[i][0][0]` is touched, and nothing else says that `a` reaches so far
// remedy: say how large it is: #pragma rt shape(a: ROWS, COLUMNS, COLUMNS)
static void perhaps_rows(int n, double ***a, const int *c, double *s) {
#ifdef REMEDY
#pragma rt shape(a: n, 1, 1)
#endif
    for (int i = 0; i < n; i++)
        if (c[i] > 0) s[i] = a[i][0][0];
}

// declined: `a` has pointers behind rows of its own
// remedy: store its rows one behind the other, as `double (*a)[m] = malloc(n * sizeof *a)`
#ifndef REMEDY
static void tables(int n, double *(*a)[M]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++) a[i][j][0] = i + j;
}
#else
static void tables(int n, double (*a)[M]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++) a[i][j] = i + j;
}
#endif

// declined: a row of `a` is kept in a pointer here
// remedy: move the elements of rows, in a loop over the columns, and use a[i][j] in the place of pointers to rows
static void exchanges(double **a, int n) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (a[i][k] > a[p][k]) p = i;
#ifndef REMEDY
        double *row = a[k];
        a[k] = a[p];
        a[p] = row;
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] / a[k][k] * a[k][j] + row[j];
#else
        for (int j = 0; j < n; j++) {
            double t = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = t;
        }
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] / a[k][k] * a[k][j] + a[p][j];
#endif
    }
}

// declined: `a` is sized by `n`, which is changed after that
// remedy: change a copy of the size instead
static void halved(int n, double a[n][n]) {
#ifndef REMEDY
    n = n / 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i][j] = 0;
#else
    int half = n / 2;
    for (int i = 0; i < half; i++)
        for (int j = 0; j < half; j++) a[i][j] = 0;
#endif
}

// declined: `s` is declared `register`, so that its address cannot be taken
// remedy: drop the word `register`
static double in_a_register(int n, const double *a) {
#ifndef REMEDY
    register
#endif
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}

// declined: `t` has no constant size, so a thread cannot have its own
// remedy: give it a constant size
static void own_array(int n, int m, const int *k, double *a) {
    for (int i = 0; i < n; i++) {
#ifndef REMEDY
        double t[m];
#else
        double t[M];
#endif
        for (int j = 0; j < m; j++) t[j] = i + j;
        t[k[i] % m] = 2;
        a[i] = t[k[i] % 3];
    }
}

// declined: whenever this runs, subscript 1 leaves the shape that is stated for `a`
// remedy: correct the extent, outermost first, or the access
static void misstated(int n, double *a, const double *b) {
#ifndef REMEDY
#pragma rt shape(a: 5)
#else
#pragma rt shape(a: n)
#endif
    for (int i = 9; i < n; i++) a[i] = b[i];
}

struct point { double x; float y; };

// declined: members of two types are written here, of structures in rows behind the pointers in `p`
// remedy: write members of one type in one loop, and those of another in a loop of its own
static void two_types(int n, struct point *p[4]) {
#ifndef REMEDY
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < n; i++) p[j][i].x = 0, p[j][i].y = 1;
#else
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < n; i++) p[j][i].x = 0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < n; i++) p[j][i].y = 1;
#endif
}

struct flags { double x; unsigned is_set : 1; };

// declined: this is a member of a structure in an array, which is not modelled here
// remedy: give each member an array of its own
#ifndef REMEDY
static void with_bits(int n, struct flags *p) {
    for (int i = 0; i < n; i++) p[i].x = 0;
}
#else
static void with_bits(int n, double *p_x) {
    for (int i = 0; i < n; i++) p_x[i] = 0;
}
#endif

// declined: `i` is read behind this loop, and what it holds there cannot be told
// remedy: give the loop a counter of its own
static int left_in_a_short(int n, double *a) {
    short i;
#ifndef REMEDY
    for (i = 0; i < n; i += 2) a[i] = 1;
#else
    for (int j = 0; j < n; j += 2) a[j] = 1;
    i = n < 0 ? 0 : (n + 1) / 2 * 2;
#endif
    return i;
}

int main(void) {
    static double space[N * N], x[N], y[N], cube[N], table[N * M];
    static double *a[N], **a3[N], *one[N], *(*t)[M];
    static int k[N];
    static struct point points[4 * N], *p[4];
    for (int i = 0; i < N; i++) {
        k[i] = i * 7 % N, a[i] = space + i * N, one[i] = cube + i, a3[i] = one + i;
        for (int j = 0; j < N; j++) a[i][j] = i == j ? 3 + i % 5 : 0.01 * ((i * 3 + j) % 7);
    }
    for (int j = 0; j < 4; j++) p[j] = points + j * N;
    struct matrix m = {a};
    member_rows(N, k, x, m);
    rows(N, k, x, a);
    until_it_ends(N, k, (double[N]){0}, y);
    perhaps_rows(N, a3, k, x);
#ifndef REMEDY
    t = malloc(N * sizeof *t);
    for (int i = 0; i < N * M; i++) t[i / M][i % M] = table + i;
    tables(N, t);
    static struct flags f[N];
    with_bits(N, f);
#else
    (void)t;
    tables(N, (double (*)[M])table);
    with_bits(N, y);
#endif
    exchanges(a, N);
    halved(N, (double (*)[N])space);
    own_array(N, M, k, x);
    misstated(N, x, y);
    two_types(N, p);
    printf("%d %g %g %g\n", left_in_a_short(N, y), in_a_register(N, x), space[N * N - 1], x[5]);
}
