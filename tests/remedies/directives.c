// Directives of the preprocessor within a loop.
#include <stdio.h>

enum { N = 300 };

// declined: the region cannot be cut out of its file: the directive of line
// remedy: write the statement as a whole in each branch of the directive (#if .. #else .. #endif)
static void two_headers(int n, double *a) {
#ifndef REMEDY
#if !defined SKIPS
    for (int i = 0; i < n; i++)
#else
    for (int i = 1; i < n; i++)
#endif
        a[i] = i;
#else
#if !defined SKIPS
    for (int i = 0; i < n; i++) a[i] = i;
#else
    for (int i = 1; i < n; i++) a[i] = i;
#endif
#endif
}

int main(void) {
    static double a[N];
    two_headers(N, a);
    printf("%g\n", a[N - 1]);
}
