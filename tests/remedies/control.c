// Loops and jumps: how a loop counts, and what leaves it.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };

// declined: no loop here is parallel: only its condition says when this `while` loop ends
// remedy: if it is known beforehand how often it runs, count: for (int i = 0; i < n; i++)
static void while_counts_down(int n, double *a) {
#ifndef REMEDY
    int i = n;
    while (i) {
        --i;
        a[i] = 2 * a[i];
    }
#else
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i];
#endif
}

// declined: `return` leaves the region
// remedy: where the loops around it may run on, set a variable here and return after them
static int negative(int n, const double *a, double *b) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) {
        b[i] = 2 * a[i];
        if (a[i] < 0) return 1;
    }
    return 0;
#else
    int found = 0;
    for (int i = 0; i < n; i++) {
        b[i] = 2 * a[i];
        if (a[i] < 0) found = 1;
    }
    return found;
#endif
}

// declined: nothing is computed here but counters and sums of what does not change
static int adds_a_constant(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += 2;
    return s;
}

// declined: this loop counts by a pointer
// remedy: subscript the array by a counter: for (int i = 0; i < n; i++) a[i] = 0;
static void until_a_pointer(double *a, const int *by, double *end) {
#ifndef REMEDY
    double *p = a;
    int k = 0;
    while (p < end) {
        *p = 1;
        p += by[k++];
    }
#else
    int n = (int)(end - a);
    for (int i = 0; i < n; i++) a[i] = 1;
    (void)by;
#endif
}

// declined: this bound is not an affine expression of the counters and the sizes
// remedy: copy the element to a variable before the loop
static void until_an_element(int *a, int *n) {
#ifndef REMEDY
    for (int i = 0; i < n[0]; i++) {
        a[i] = i;
        n[1] = i;
    }
#else
    int m = n[0];
    for (int i = 0; i < m; i++) a[i] = i;
    if (m > 0) n[1] = m - 1;
#endif
}

// declined: `switch` inside a parallel loop is not modelled
// remedy: write it as a chain of `if`
static void falls_through(int n, double *a) {
#ifndef REMEDY
    for (int i = 0; i < n; i++)
        switch (i % 3) {
        case 0: a[i] = 1; // falls through
        case 1: a[i] += 1; break;
        default: a[i] = 2;
        }
#else
    for (int i = 0; i < n; i++)
        if (i % 3 == 0) a[i] = 2;
        else if (i % 3 == 1) a[i] += 1;
        else a[i] = 2;
#endif
}

// declined: this assertion cannot be part of a region
// remedy: compile with -DNDEBUG, or assert it in a loop of its own before this one
static void asserts(int n, const int *k, const double *a, double *b) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) {
        assert(k[i] >= 0 && k[i] < n);
        b[i] = a[k[i]];
    }
#else
    for (int i = 0; i < n; i++) assert(k[i] >= 0 && k[i] < n);
    for (int i = 0; i < n; i++) b[i] = a[k[i]];
#endif
}

// declined: this assertion fails whatever the sizes are
// remedy: correct what it says; or compile with -DNDEBUG
static void asserts_wrongly(int n, double *a) {
    for (int i = 0; i < n; i++) {
#ifndef REMEDY
        assert(i < 0);
#else
        assert(i >= 0);
#endif
        a[i] = 1;
    }
}

int main(void) {
    static double a[N], b[4 * N];
    static int k[N], steps[N];
    for (int i = 0; i < N; i++) a[i] = i % 7 - 2, k[i] = i * 7 % N, steps[i] = 1 + i % 2;
    while_counts_down(N, a);
    printf("%d %d\n", negative(N, a, b), adds_a_constant(N));
    falls_through(N, b);
    asserts(N, k, a, b);
    until_a_pointer(b, steps, b + N);
    int sizes[3] = {N, 0, 0};
    until_an_element(k, sizes);
    if (b[1] < 0) asserts_wrongly(N, b);
#ifdef REMEDY
    asserts_wrongly(N, b);
#endif
    printf("%g %g %d %d\n", a[3], b[5], k[7], sizes[1]);
}
