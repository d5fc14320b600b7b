// Iterations that depend on each other.
#include <stdio.h>

enum { N = 300 };

// declined: no loop here is parallel: iterations depend on each other through `y`
// remedy: if no two iterations meet in an element, say so: #pragma rt parallel
static void scatters(int n, const int *k, const double *x, double *y) {
#ifdef REMEDY
#pragma rt parallel
#endif
    for (int i = 0; i < n; i++)
        if (x[i] > 0) y[k[i]] = i;
}

// declined: no loop here is parallel: iterations depend on each other through `t`
// remedy: an iteration reads the `t` that one before it left: where it need not, declare it inside the loop
static void carries(int n, double *a, const double *b) {
#ifndef REMEDY
    double t = 0;
    for (int i = 0; i < n; i++) {
        if (b[i] > 0) t = b[i];
        a[i] = t;
    }
#else
    for (int i = 0; i < n; i++) {
        double t = 0;
        if (b[i] > 0) t = b[i];
        a[i] = t;
    }
#endif
}

// declined: no loop here is parallel: iterations depend on each other through `a`
// remedy: each iteration needs what one before it left in `a`: only another algorithm is parallel
static void recurs(int n, double *a) {
#ifndef REMEDY
    for (int i = 1; i < n; i++) a[i] = 1 / (1 + a[i - 1] * a[i - 1]);
#else
    for (int i = 1; i < n; i++) a[i] = 1 / (1 + a[i] * a[i]);
#endif
}

// declined: no loop here is parallel: iterations depend on each other through `a`
// remedy: iterations do not need each other's `a`, but share its elements: write to another array
static void overwrites(int n, const double *b, double *a, double *c) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) a[i / 2 * 2] = a[i / 2 * 2 + 2] + b[i];
    (void)c;
#else
    for (int i = 0; i < n; i += 2) c[i] = a[i + 2] + b[i + 1];
#endif
}

// declined: no loop here is parallel: iterations depend on each other through `all`
// remedy: C does not evaluate the rest once `all` is decided, and threads would: where that is safe, write `all &= ...` for `&&`, `all |= ...` for `||`
static int all_positive(int n, const double *a, const int *k) {
    int all = 1;
    for (int i = 0; i < n; i++)
#ifndef REMEDY
        all = all && a[k[i]] > -3;
#else
        all &= a[k[i]] > -3;
#endif
    return all;
}

// declined: no loop here is parallel: iterations depend on each other through `h`
// remedy: where values are 0 and -0, which of them is the minimum in `h` depends on the order: `x + 0.0` for each value `x` is never -0
static void least_of_each(int n, const int *k, const double *a, double *h) {
    for (int i = 0; i < n; i++)
#ifndef REMEDY
        h[k[i]] = a[i] <= h[k[i]] ? a[i] : h[k[i]];
#else
        h[k[i]] = a[i] + 0.0 <= h[k[i]] ? a[i] + 0.0 : h[k[i]];
#endif
}

// declined: this block has 3 extents, a kernel that it is for 2
// remedy: the extents are those in x, y and z; surplus ones are not used
static void surplus(int n, double *a) {
#ifndef REMEDY
#pragma rt block(8, 8, 4)
#else
#pragma rt block(8, 8)
#endif
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) a[i * 4 + j] = i + j;
}

// declined: a loop here is no operator that is recognised
// remedy: these are: gemm, gemv, ger, symm, syrk, syr2k, trmm, trsm, trsv, axpy, scal, copy, swap, dot, nrm2, asum, geam, spmv, spmm
static void no_operator(int n, double *a, const double *b) {
#pragma rt library(always)
    for (int i = 0; i < n; i++)
#ifndef REMEDY
        a[i] = b[i] * b[i];
#else
        a[i] = b[i];
#endif
}

// declined: no loop here is parallel: iterations depend on each other through `t`
// remedy: where each iteration has a `t` of its own, declare it inside the loop
static double last_large(int n, const double *a, const int *k, double *b) {
    double t = 0;
    for (int i = 0; i < n; i++) {
#ifndef REMEDY
        if (a[k[i]] > 2) t = a[i] * 2;
#else
        double t = 0;
        if (a[k[i]] > 2) t = a[i] * 2;
        b[i] = t;
#endif
    }
    return t;
}

// declined: a directive calls this loop's iterations independent, but this loop is not a counted one
// remedy: write the loop as `for (i = first; i < end; i += step)`
static void asserted_in_vain(int n, int m, const int *k, double *x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
#pragma rt parallel
#ifndef REMEDY
        for (int j = k[i]; j != m; j = j < m ? j + 1 : m) x[i * m + j] = i;
#else
        for (int j = k[i]; j < m; j++) x[i * m + j] = i;
#endif
}

int main(void) {
    static double a[N + 2], b[N + 2], c[N + 2], x[N * 4];
    static int k[N];
    for (int i = 0; i < N; i++) a[i] = b[i] = i % 7 - 2, k[i] = i * 7 % N;
    scatters(N, k, a, b);
    carries(N, c, b);
    recurs(N, a);
    overwrites(N, b, a, c);
    for (int i = 0; i < N; i++) k[i] %= 4;
    asserted_in_vain(N, 4, k, x);
    surplus(N, x);
    least_of_each(N, k, a, x);
    no_operator(N, x, a);
    printf("%g\n", last_large(N, a, k, b));
    printf("%d %g %g %g\n", all_positive(N, a, k), a[3], b[5], c[6]);
}
