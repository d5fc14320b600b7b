/* Loops whose iterations meet for some sizes: a step of two over a length that is even where it comes from, elements so far
 * apart as the call says. For the other sizes the original runs. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 6000
#endif

/* A step of a Fourier transform, over pairs of numbers. */
static void butterflies(int l, double *a, const double *w)
{
    int j, j1, j2, j3;
    double x0r, x0i, x1r, x1i, x2r, x2i, x3r, x3i;
    for (j = 0; j < l; j += 2) {
        j1 = j + l;
        j2 = j1 + l;
        j3 = j2 + l;
        x0r = a[j] + a[j1];
        x0i = a[j + 1] + a[j1 + 1];
        x1r = a[j] - a[j1];
        x1i = a[j + 1] - a[j1 + 1];
        x2r = a[j2] + a[j3];
        x2i = a[j2 + 1] + a[j3 + 1];
        x3r = a[j2] - a[j3];
        x3i = a[j2 + 1] - a[j3 + 1];
        a[j] = x0r + x2r;
        a[j + 1] = x0i + x2i;
        x0r -= x2r;
        x0i -= x2i;
        a[j2] = w[0] * x0r - w[1] * x0i;
        a[j2 + 1] = w[0] * x0i + w[1] * x0r;
        a[j1] = x1r - x3i;
        a[j1 + 1] = x1i + x3r;
        a[j3] = x1r + x3i;
        a[j3 + 1] = x1i - x3r;
    }
}

static void odd(int l, double *a)
{
    for (int j = 0; j < l; j += 2) { // original: iterations meet, for these sizes
        double x = a[j] - a[j + l], y = a[j + 1] - a[j + l + 1];
        a[j] += a[j + l];
        a[j + 1] += a[j + l + 1];
        a[j + l] = x - y;
        a[j + l + 1] = x + y;
    }
}

/* A part of an array that is added to another one of it. */
static void shifted(int n, int m, double *a)
{
    for (int i = 0; i < n; i++) // original: iterations meet, for these sizes
        a[i] = a[i] / 2 + a[i + m];
}

/* Rows of a field, of which some are made of others: those may meet, but what is in one does not. */
static void planes(int n, int m, int from, int to, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[(i + to) * m + j] = 0.5 * a[(i + from) * m + j] + 1;
}

/* The first and the last row of a grid without ends, each of the one that it stands for. */
static void periodic(int n, int m, double *a)
{
    for (int j = 0; j < m; j++) { // original: iterations meet, for these sizes
        a[j] = a[(n - 2) * m + j];
        a[(n - 1) * m + j] = a[m + j] + 1;
    }
}

int main(void)
{
    double *a = malloc(4 * N * sizeof *a), s = 0, w[2] = {0.6, 0.8};
    for (int i = 0; i < 4 * N; i++)
        a[i] = i % 17;
    butterflies(N, a, w);
    butterflies(N / 2, a, w);
    odd(N, a);
    odd(N - 1, a);
    shifted(N, N, a);
    shifted(N, N + 3, a);
    shifted(N, N - 1, a);
    shifted(N, 0, a);
    shifted(N, 1, a);
    planes(N / 60, 60, 0, N / 60, a);
    planes(N / 60, 60, N / 60, 1, a);
    planes(N / 60, 60, 3, 4, a);
    periodic(4, N, a);
    periodic(N / 60, 60, a);
    periodic(2, N, a);
    for (int i = 0; i < 4 * N; i++)
        s += (1 + i % 3) * a[i];
    printf("%.10g\n", s);
    free(a);
    return 0;
}
