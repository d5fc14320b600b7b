// What a marked region calls belongs to it: one plan, and `s`, handed to functions that touch its elements alone, stays on
// the device. `kept`, handed to one that remembers it, comes back. The product stays apart from what follows, so that a
// library may compute it.
#include <stdlib.h>

static double *memory;

static void add(int n, const double x[n][n], const double y[n][n], double z[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[i][j] = x[i][j] + y[i][j];
}

static void multiply(int n, const double x[n][n], const double y[n][n], double z[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += x[i][k] * y[k][j];
            z[i][j] = sum;
        }
}

static void remember(double *x) {
    memory = x;
}

void square(int n, double a[n][n], double b[n][n], double c[n][n]) {
    double(*s)[n] = malloc(n * sizeof *s), (*kept)[n] = malloc(n * sizeof *kept);
    if (!s || !kept)
        return;
    remember(kept[0]);
#pragma rt region name(square)
    add(n, a, b, s);
    multiply(n, s, s, kept);
    add(n, kept, s, c);
#pragma rt end
    free(s);
}
