#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned seed;

static void fill_unsigned_char(unsigned char *p, long count) {
    for (long k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        p[k] = (unsigned char)((int)(seed >> 16) % 19 - 0);
    }
}

static unsigned long long sum_unsigned_char(const unsigned char *p, long count) {
    unsigned long long h = 17;
    for (long k = 0; k < count; k++)
        h = h * 31 + (unsigned long long)(long long)p[k];
    return h;
}

static void fill_int(int *p, long count) {
    for (long k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        p[k] = (int)((int)(seed >> 16) % 19 - 9);
    }
}

static unsigned long long sum_int(const int *p, long count) {
    unsigned long long h = 17;
    for (long k = 0; k < count; k++)
        h = h * 31 + (unsigned long long)(long long)p[k];
    return h;
}

static void fill_unsigned(unsigned *p, long count) {
    for (long k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        p[k] = (unsigned)((int)(seed >> 16) % 19 - 0);
    }
}

static unsigned long long sum_unsigned(const unsigned *p, long count) {
    unsigned long long h = 17;
    for (long k = 0; k < count; k++)
        h = h * 31 + (unsigned long long)(long long)p[k];
    return h;
}

static void fill_long(long *p, long count) {
    for (long k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        p[k] = (long)((int)(seed >> 16) % 19 - 9);
    }
}

static unsigned long long sum_long(const long *p, long count) {
    unsigned long long h = 17;
    for (long k = 0; k < count; k++)
        h = h * 31 + (unsigned long long)(long long)p[k];
    return h;
}

static void fill_float(float *p, long count) {
    for (long k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        p[k] = (float)((int)(seed >> 16) % 19 - 9);
    }
}

static unsigned long long sum_float(const float *p, long count) {
    unsigned long long h = 17;
    for (long k = 0; k < count; k++)
        h = h * 31 + (unsigned long long)(long long)p[k];
    return h;
}

static void fill_double(double *p, long count) {
    for (long k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        p[k] = (double)((int)(seed >> 16) % 19 - 9);
    }
}

static unsigned long long sum_double(const double *p, long count) {
    unsigned long long h = 17;
    for (long k = 0; k < count; k++)
        h = h * 31 + (unsigned long long)(long long)p[k];
    return h;
}

#pragma rt shape(d: n + 1)
static void f243(int n, int m, int a[n + m + 1][2 * n + m + 1], unsigned b[2 * n + m + 1][n + m + 1], unsigned c[n + 1], const double *d, double (*e)[18], unsigned f[n + m + 1]) {
    double s0 = 0;
    double s2 = 0;
    unsigned j1;
    for (int i0 = 0; i0 != n - 1; i0++) {
        for (j1 = 2; j1 < n; j1 += 3) {
            e[i0][j1] = ((i0 + 9) % 7);
            if (i0 <= j1) {
                b[i0][j1] |= (unsigned)(int)e[n - i0 - 2][j1];
            } else {
                e[i0][j1 - 1] *= j1 % 2 == 1 ? -1 : 1;
            }
            b[i0][j1 - 2] = ((b[i0][j1] - (unsigned)6) ^ (unsigned)a[i0][2 * j1]);
        }
        for (int j2 = i0 + 1; j2 <= n - 2; j2++) {
            if (i0 + j2 < 5) {
                b[2 * i0][j2] = (unsigned)(int)d[i0] * (unsigned)9;
            }
        }
    }
    s0 = 0;
    for (int i3 = m - 1; i3 > -1; i3 -= 3) {
        for (int j4 = 0; j4 != m - 1; j4++) {
            b[i3 + 1][j4 + 1] = (((f[i3] * b[i3][j4] + b[i3 + 1][j4 + 3]) + b[i3 + 1][j4 + 2]) + b[i3 + 2][j4 + 1]);
            for (int k5 = 0; k5 < m - 2; k5 += 2) {
                double t1 = fmin(fmax(k5 * e[k5][i3 + 2] * 9, -99.0), 99.0);
                b[j4][i3] += (unsigned)a[m - i3 - 1][k5];
                e[i3 + 1][j4 + 1] = fmin(fmax((a[m - j4 - 2][i3] + e[i3 + 2][j4 + 1]), -99.0), 99.0);
            }
        }
    }
    b[2][0] -= (unsigned)(int)s0;
    s2 = 3;
    for (unsigned i6 = 0; i6 < 3; i6++) {
        for (int j7 = n - 2; j7 >= 0; j7--) {
            if (((int)(f[j7] & 63u) - (int)(b[j7][i6] & 63u) * 5) > e[j7][i6]) {
                e[j7][i6] = ((int)(f[j7] & 63u) - (int)(b[j7][i6] & 63u) * 5);
            }
            if ((int)(c[j7] & 63u) != 1) {
                e[j7][i6] = fmin(fmax(fmax(fabs(((int)(f[j7] & 63u) != 4 ? s0 : 1)), ((int)i6 * 2 + ((int)i6 + 1))), -99.0), 99.0);
            }
            int w6[3];
            for (int p8 = 0; p8 < 3; p8++) {
                w6[p8] = (int)i6;
            }
            for (int p9 = 0; p9 < 3; p9++) {
                e[j7][2 * p9] *= (j7 + p9) % 2 == 0 ? -1 : 1;
            }
        }
        if (i6 % 2 == 1) {
            e[i6][0] = (((int)(f[i6 + 1] & 63u) - 7) / 3);
        } else {
            s2 += (i6 > 2 ? 3 * d[i6] : (4 + (int)(c[i6] & 63u)));
        }
    }
    e[2][0] = fmod(s2, 97.0);
}

static void run_f243(void) {
    int n = 4, m = 13;
    seed = 1;
    void *a = malloc(396 * sizeof(int));
    fill_int(a, 396);
    void *b = malloc(396 * sizeof(unsigned));
    fill_unsigned(b, 396);
    void *c = malloc(5 * sizeof(unsigned));
    fill_unsigned(c, 5);
    void *d = malloc(5 * sizeof(double));
    fill_double(d, 5);
    void *e = malloc(324 * sizeof(double));
    fill_double(e, 324);
    void *f = malloc(18 * sizeof(unsigned));
    fill_unsigned(f, 18);
#ifdef CHECK_EXACT
    feclearexcept(FE_ALL_EXCEPT);
#endif
    f243(n, m, a, b, c, d, e, f);
    printf("f243");
#ifdef CHECK_EXACT
    if (fetestexcept(FE_INEXACT | FE_INVALID))
        printf(" inexact");
#endif
    printf(" %016llx", sum_int(a, 396));
    printf(" %016llx", sum_unsigned(b, 396));
    printf(" %016llx", sum_unsigned(c, 5));
    printf(" %016llx", sum_double(d, 5));
    printf(" %016llx", sum_double(e, 324));
    printf(" %016llx", sum_unsigned(f, 18));
    printf("\n");
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    free(f);
}

int main(void) {
    run_f243();
    return 0;
}
