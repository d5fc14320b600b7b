#include <stdio.h>

typedef struct { double y, w; int n; } pair;
static double gain = 1, total = 0;

/* A scalar that the loops read, or write, may be one of the elements. */
static void member(double *a, const pair *by, int n, int steps) {
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            a[i] = a[i] + by->y;
}

static void global(double *a, int n, int steps) {
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            a[i] = a[i] + gain;
}

static void summed(const double *a, int n) {
    for (int i = 0; i < n; i++)
        total += a[i];
}

int main(void) {
    double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    pair p = {1, 2, 3};
    member(a, &p, 9, 3);
    member(&p.y, &p, 1, 3);
    global(a, 9, 3);
    global(&gain, 1, 3);
    summed(a, 9);
    summed(&total, 1);
    printf("%g %g %g %g\n", a[8], p.y, gain, total);
    return 0;
}
