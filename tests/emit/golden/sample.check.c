/* What the tests of emission convert by hand: a Jacobi iteration, a product of matrices, a histogram.
 * Regions end where a comment says so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "sample.h"

static int jacobi(int n, double tol, double a[n][n], const double *b, double *x, double *x_new)
{
    int steps = 0;
    double err = 2 * tol;
    { extern void rt_jacobi_before(int, double, double *, int *, const void *, const void *, void *, void *), rt_jacobi_after(double *, int *, void *, void *);
    rt_jacobi_before(n, tol, &err, &steps, a, b, x, x_new);
    {
    while (err > tol && steps < LIMIT) {
        for (int i = 0; i < n; i++) {
            double s = 0.0;
            for (int j = 0; j < n; j++)
                s += a[i][j] * x[j];
            x_new[i] = x[i] + (b[i] - s) / a[i][i];
        }
        err = 0.0;
        for (int i = 0; i < n; i++)
            err += fabs(x_new[i] - x[i]);
        for (int i = 0; i < n; i++)
            x[i] = x_new[i];
        steps++;
    }
    }
    rt_jacobi_after(&err, &steps, x, x_new); } /* end of region */
    return steps;
}

static float mix(float u, float v) { return u < v ? u * v : v - u; }

static void product(int n, int m, float scale, const float *a, const float *b, float *new)
{
    { extern void rt_product_before(int, int, float, const void *, const void *, void *), rt_product_after(void *);
    extern int rt_host_writes(const char *, int);
    const int rt_called = 0 < n || rt_host_writes("sample.c", 33);
    if (rt_called) rt_product_before(n, m, scale, a, b, new);
    {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            new[i * m + j] *= scale;
            for (int k = 0; k < n; k++)
                new[i * m + j] += mix(a[i * n + k], b[k * m + j]);
        }
    }
    if (rt_called) rt_product_after(new); } /* end of region */
}

static void histogram(unsigned n, const int *v, int *hist)
{
    { extern void rt_histogram_before(unsigned int, const void *, void *), rt_histogram_after(void *);
    rt_histogram_before(n, v, hist);
    {
    for (unsigned i = 0; i < n; i++)
        hist[v[i] & 7]++;
    }
    rt_histogram_after(hist); } /* end of region */
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 70, m = n / 2;
    double *a = calloc(n * n, sizeof *a), *b = calloc(n, sizeof *b), *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    float *f = calloc(n * n, sizeof *f), *g = calloc(n * n, sizeof *g), *h = calloc(n * n, sizeof *h);
    int v[256], hist[8] = {0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] = i == j ? n : 1.0 / (i + j + 1);
            f[i * n + j] = (float)((i * j + 1) % 5);
            g[i * n + j] = (float)((i + j) % 3);
            h[i * n + j] = 1.0f;
        }
        b[i] = i;
    }
    for (int i = 0; i < 256; i++)
        v[i] = i * i / 3;
    printf("%d steps, x[1] = %.12f\n", jacobi(n, 1e-9, (double(*)[n])a, b, x, y), x[1]);
    product(n, m, 0.5f, f, g, h);
    { extern int rt_must_ask, rt_host_reads_at(const volatile void *, unsigned long, const char *, int); (void)(__builtin_expect(rt_must_ask, 0) && rt_host_reads_at(&(h[m + 1]), sizeof(h[m + 1]), "sample.c", 31)); }
    printf("h[%d] = %.3f\n", m + 1, h[m + 1]);
    histogram(256, v, hist);
    { extern int rt_must_ask, rt_host_reads(const char *, int);
    for (int i = 0; (void)(__builtin_expect(rt_must_ask, 0) && rt_host_reads("sample.c", 32)), i < 8; i++)
        { extern int rt_must_ask, rt_host_writes(const char *, int); (void)(__builtin_expect(rt_must_ask, 0) && rt_host_writes("sample.c", 33));
        printf("%d ", hist[i]); } }
    printf(TAIL "\n");
    histogram(1, hist, hist); /* overlaps: the original runs */
    return 0;
}
