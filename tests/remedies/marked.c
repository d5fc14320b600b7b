// What is marked as a region, and what would have to be.
#include <assert.h>
#include <stdio.h>

enum { N = 300 };

// declined: `b` is printed here, and no loop of the region deals with it
// remedy: copy it to a variable before the loop
static void prints_another(int n, int steps, double *a, const double *b) {
#ifdef REMEDY
    double first = b[0];
#endif
#pragma rt region
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) a[i] = a[i] + 1;
#ifndef REMEDY
        printf("%g\n", b[0]);
#else
        printf("%g\n", first);
#endif
    }
#pragma rt end
}

// declined: what is printed here, in a loop of the host, is not made of numbers
// remedy: print numbers, and elements by their subscripts, to stdout or stderr; or move the call out of the loop
static void prints_a_name(int n, int steps, double *a, const char *name) {
#pragma rt region
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) a[i] = a[i] + 1;
#ifndef REMEDY
        printf("%s\n", name);
#else
        printf("%d %g\n", t, a[1]);
        (void)name;
#endif
    }
#pragma rt end
}

// declined: `a` is addressed with other rows here than in the nest before
// remedy: mark each nest as a region of its own
static void other_rows(int n, int m, double *a, double *y) {
#pragma rt region
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i * m + j] *= 0.5;
#ifdef REMEDY
#pragma rt end
#pragma rt region
#endif
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) y[i] += a[i * n + j];
#pragma rt end
}

// declined: this is printed in a region that an error may leave
// remedy: mark what prints as a region of its own
static void prints_and_asserts(int n, int steps, double *a, double *b) {
#pragma rt region
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) a[i] *= 0.5;
        printf("%g\n", a[1]);
    }
#ifdef REMEDY
#pragma rt end
#pragma rt region
#endif
    for (int i = 0; i < n; i++) {
        assert(b[i] > -1e9);
        b[i] *= 0.5;
    }
#pragma rt end
}

int main(void) {
    static double a[N], b[N];
    for (int i = 0; i < N; i++) a[i] = b[i] = i % 7 - 2;
    prints_another(N, 2, a, b);
    prints_a_name(N, 2, a, "a");
    prints_and_asserts(N, 2, a, b);
    other_rows(20, 15, a, b);
    printf("%g\n", a[3]);
}
