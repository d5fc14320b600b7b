/* Loops that test behind their iterations: one at least is run, whatever the limit says. */
#include <stdio.h>

#ifndef N
#define N 61
#endif

static double a[N], b[N], c[N];

/* Steps with two arrays whose pointers change places; where the last one lies is seen. */
static const double *smoothed(int n, int steps, double *x, double *y) {
    int t = 0;
    do { // original: a subscript leaves its row
        for (int i = 1; i < n - 1; i++)
            y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
        double *z = x;
        x = y;
        y = z;
        t++;
    } while (t < steps);
    return x;
}

/* Counters that go down, by two, and to a limit that belongs to them; one that is wanted behind its loop. */
static int counted(int n, int least, int most) {
    int k = N - 1, j = 0;
    do { // original: a subscript leaves its row
        a[k] += 0.5 * k;
        k -= 2;
    } while (k >= least);
    do {
        for (int i = 0; i < n; i++)
            b[i] += 0.125 * i - j;
        j += 3;
    } while (j <= most);
    return 100 * j + k;
}

int main(void) {
    static const int limits[] = {-3, 0, 1, 2, 5};
    double check = 0.0;
    for (int i = 0; i < N; i++) {
        a[i] = (i * 7 % 11) * 0.25;
        b[i] = (i * 5 % 13) * 0.5;
        c[i] = a[i];
    }
    for (int k = 0; k < 5; k++) {
        const double *last = smoothed(N, limits[k], a, c);
        check += counted(N, N - 2 - limits[k], limits[k]);
        for (int i = 0; i < N; i++)
            check += (last[i] + b[i]) * (1 + i % 7);
    }
    printf("do_while %.10e\n", check);
    return 0;
}
