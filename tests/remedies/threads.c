// What directives of OpenMP say of threads.
#include <omp.h>
#include <stdio.h>

enum { N = 300 };

static double scratch[4];
#pragma omp threadprivate(scratch)

// declined: the directive promises that `s` is only accumulated by `+`: not so here
// remedy: write the accumulation as one statement, such as `s += e` or `if (e > s) s = e`
static double sums_otherwise(int n, const double *a) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
#ifndef REMEDY
        if (a[i] > 0) s = s * 2 - s + a[i];
#else
        if (a[i] > 0) s += a[i];
#endif
    }
    return s;
}

// declined: each thread that `omp parallel` of line
// remedy: share the loop out by `#pragma omp for` in the block, or write the block as `#pragma omp parallel for`
static void every_thread(int n, double *a) {
#pragma omp parallel
    {
#ifndef REMEDY
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int i = me; i < n; i += all) a[i] = 2 * i;
#else
#pragma omp for
        for (int i = 0; i < n; i++) a[i] = 2 * i;
#endif
    }
}

// declined: each iteration fills `scratch`, of which each thread has a copy
// remedy: declare `scratch` inside the loop, so that each iteration has its own
static void fills_copies(int n, double *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#ifdef REMEDY
        double scratch[4];
#endif
        for (int j = 0; j < 4; j++) scratch[j] = i + j;
        a[i] = 0;
        for (int j = 0; j < 4; j++) a[i] += scratch[j] * scratch[3 - j];
    }
}

// declined: each thread sets a copy of `t`
// remedy: declare inside the loop what each iteration has for itself, or write `lastprivate(t)`, too
static double private_and_read(int n, const double *x, double *y) {
    double t = 5;
#ifndef REMEDY
#pragma omp parallel for firstprivate(t)
#else
#pragma omp parallel for firstprivate(t) lastprivate(t)
#endif
    for (int i = 0; i < n; i++) {
        t = 2 * x[i];
        y[i] = t + 1;
    }
    return t;
}

// declined: `#pragma omp critical` on line
// remedy: one accumulation such as `h[b] += e` of what nothing else in the loop uses runs in parallel: leave the rest of what meets to a loop of its own
static void exclusive(int n, const int *key, double *a, const double *x) {
#ifndef REMEDY
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            a[key[i]] += x[i];
            a[key[i]] *= 0.5;
        }
    }
#else
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        a[key[i]] += x[i];
    }
    for (int i = 0; i < n; i++) a[key[i]] *= 0.5;
#endif
}

// declined: leaves nothing of what a directive says of their independence
// remedy: leave what `omp ordered` is for to a loop of its own: without it the directive holds for the others
static void in_order(int n, const int *key, double *a, const double *x, double *y) {
#ifndef REMEDY
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        y[key[i] + 16 * i] = x[i];
#pragma omp ordered
        a[key[i]] = 0.5 * a[key[i]] + x[i];
    }
#else
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[key[i] + 16 * i] = x[i];
    for (int i = 0; i < n; i++) a[key[i]] = 0.5 * a[key[i]] + x[i];
#endif
}

// declined: gives each thread, not each iteration, its own
// remedy: declare inside the loop what each iteration has for itself
static void fills_its_own(int n, const int *len, const double *x, double *y) {
#ifndef REMEDY
    double own[100] = {0};
#pragma omp parallel for firstprivate(own)
    for (int i = 0; i < n; i++) {
#else
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double own[100];
#endif
        for (int k = 0; k < len[i]; k++) own[k] = x[k + i];
        y[i] = own[len[i] / 2];
    }
}

int main(void) {
    static double a[N], b[N], y[16 * N];
    static int key[N];
    for (int i = 0; i < N; i++) a[i] = i % 7 - 2, key[i] = i * 7 % 16;
    every_thread(N, b);
    fills_copies(N, b);
    exclusive(N, key, b, a);
    in_order(N, key, b, a, y);
    for (int i = 0; i < N; i++) key[i] = 1 + i % 5;
    fills_its_own(N - 9, key, a, b);
    printf("%g %g %g\n", sums_otherwise(N, a), private_and_read(N, a, b), b[3]);
}
