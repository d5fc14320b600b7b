// Accesses of many forms, at sizes that are known, so that the model knows what the simulation counts.
#include <stdio.h>
#include <stdlib.h>

struct particle {
    double x, y, z, m;
};

static void rows(const float *restrict a, float *restrict b)
{
    for (int i = 0; i < 128; i++)
        for (int j = 0; j < 256; j++)
            b[i * 256 + j] = 2 * a[i * 256 + j] + 1;
}

static void shifted(const double *restrict a, double *restrict b)
{
    for (int i = 1; i < 130; i++)
        for (int j = 1; j < 203; j++)
            b[i * 204 + j] = a[(i - 1) * 204 + j] + a[(i + 1) * 204 + j] + a[i * 204 + j - 1] + a[i * 204 + j + 1];
}

static void every_fourth(const float *restrict a, float *restrict b)
{
    for (int i = 0; i < 4096; i++)
        b[i] = a[4 * i] * 3;
}

static void across(const short *restrict a, double *restrict b)
{
    for (int i = 0; i < 128; i++)
        for (int j = 0; j < 128; j++)
            b[i * 128 + j] = a[j * 128 + i];
}

static void members(const struct particle *restrict p, double *restrict e)
{
    for (int i = 0; i < 1000; i++)
        e[i] = p[i].m * (p[i].x + p[i].y);
}

static void sums(const float *restrict a, float *restrict s)
{
    for (int i = 0; i < 64; i++) {
        float t = 0;
        for (int k = 0; k < 512; k++)
            t += a[i * 512 + k];
        s[i] = t;
    }
}

static void half(const double *restrict a, double *restrict b)
{
    for (int i = 0; i < 200; i++)
        for (int j = 0; j <= i; j++)
            b[i * 200 + j] = -a[i * 200 + j];
}

static void product(const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int i = 0; i < 96; i++)
        for (int j = 0; j < 128; j++) {
            double s = 0;
            for (int k = 0; k < 64; k++)
                s += a[i * 64 + k] * b[k * 128 + j];
            c[i * 128 + j] = s;
        }
}

int main(void)
{
    float *f = malloc(32768 * sizeof *f), *g = malloc(32768 * sizeof *g);
    double *d = malloc(40000 * sizeof *d), *e = malloc(40000 * sizeof *e), *c = malloc(40000 * sizeof *c);
    short *s = malloc(16384 * sizeof *s);
    struct particle *p = malloc(1000 * sizeof *p);
    for (int i = 0; i < 32768; i++)
        f[i] = i % 13, g[i] = 0;
    for (int i = 0; i < 40000; i++)
        d[i] = i % 17, e[i] = 0, c[i] = 0;
    for (int i = 0; i < 16384; i++)
        s[i] = i % 19;
    for (int i = 0; i < 1000; i++)
        p[i].x = i, p[i].y = 1, p[i].z = 2, p[i].m = 3;
    rows(f, g);
    shifted(d, e);
    every_fourth(g, f);
    across(s, d);
    members(p, e);
    sums(g, f);
    half(d, e);
    product(d, e, c);
    printf("%g %g %g\n", f[5], e[7], c[9]);
}
