/* Corners of C at which a conversion may go wrong without a sound: each function returns what it computed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 96
#endif

/* Sums into two elements of one array, by different operators. */
static void moments(int n, const double *a, double *h) {
    for (int i = 0; i < n; i++) {
        h[0] += a[i];
        h[1] += a[i] * a[i];
        h[2] *= 1 + 0.001 * a[i];
    }
}

/* An unsigned number is taken away in the width of the sum. */
static long taken(int n, const unsigned *u) {
    long s = 1000;
    for (int i = 0; i < n; i++)
        s -= u[i];
    return s;
}

/* Sums under conditions on the data. */
static double chosen(int n, const double *a, const double *b) {
    int count = 0;
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > b[i])
            count++;
        if (b[i] != 0 && a[i] / b[i] < 3)
            s -= a[i] / b[i];
    }
    return s + count;
}

/* Where the conditions on the sizes do not hold, nothing is written; the third array may then be none at all. */
static void sometimes(int n, int m, double *a, const double *b) {
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++)
            a[i] = k + b[i];
}

/* Conditions that keep accesses inside. */
static void neighbours(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++)
        b[i] += (i > 0 ? a[i - 1] : 0) + (i < n - 1 ? a[i + 1] : 0);
}

/* A divisor that is zero where nothing is divided. */
static void divided(int n, int d, double *a) {
    if (d != 0 && n / d > 2)
        for (int i = 0; i < n; i++)
            a[i] += 1;
}

/* An unsigned offset, and what becomes of a counter in its own width. */
static void wrapped(unsigned n, unsigned off, double *a, const double *b) {
    for (unsigned i = 1; i < n; i++)
        a[i] += b[i + off] - (double)~i;
    for (unsigned i = 0; i < n; i++)
        a[i] += (i & 3) - n > n;
}

/* The host decides by sums of the device, on some paths only. */
static int settle(int n, int k, double *a) {
    double s = 0;
    int it = 0;
    while (it < 9) {
        if (s > 1500)
            break;
        s = 0;
        for (int i = 0; i < n; i++)
            s += a[i];
        if (k > 0 && it > 3)
            for (int i = 0; i < n; i++)
                a[i] += 0.5;
        for (int i = 0; i < n; i++)
            a[i] += 0.25;
        it++;
    }
    return it;
}

/* Half as many each time: the host computes the size anew. */
static double halves(int n, int m, double *a) {
    double s = 0;
    while (n > 1) {
        for (int i = 0; i < m; i++)
            a[i % 8] += n / 2 > i;
        n /= 2;
    }
    for (int i = 0; i < 8; i++)  // decline: its work, 8 statement instances
        s += a[i];
    return s;
}

/* Two empty loops are no square. */
static double square(int n, int m, const double *a) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[0] * (i + j);
    return s;
}

int main(void) {
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), h[3] = {1, 2, 3};
    unsigned *u = malloc(N * sizeof *u);
    double check = 0;
    if (!a || !b || !u)
        return 1;
    for (int i = 0; i < N; i++) {
        a[i] = (i * 37 + 11) % 23 - 7;
        b[i] = i % 5;
        u[i] = 3u * i;
    }
    moments(N, a, h);
    printf("corners %.3f %.3f %.3f %ld %.3f\n", h[0], h[1], h[2], taken(N, u), chosen(N, a, b));
    sometimes(N, 2, b, a);
    sometimes(N, 0, a, NULL);
    neighbours(N, a, b);
    divided(N, 0, a);
    divided(N, 7, a);
    wrapped(N - 2, 1, a, b);
    printf("corners %d %d %.3f\n", settle(N, 0, b), settle(N, 1, b), halves(N, 16, a));
    printf("corners %.3f %.3f\n", square(4, 5, a), square(-3, -4, a));
    for (int i = 0; i < N; i++)
        check += a[i] * (1 + i % 11) + b[i] * (1 + i % 7);
    printf("corners %.3f\n", check);
    free(a);
    free(b);
    free(u);
    return 0;
}
