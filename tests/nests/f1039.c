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

#pragma rt shape(b: 2 * n + 2 * m + 1, n + 2 * m + 2)
static void f1039(int n, int m, float a[n + 2], double *b, const unsigned char *c) {
    double s0 = 0;
    double t1 = 0;
    int s3 = 0;
    int i3;
    for (int i0 = 0; i0 < n; i0++) {
        b[(2 * i0 + 1) * (n + 2 * m + 2) + 0] *= (3 < 3 || i0 > 4) ? -1 : 1;
        b[i0 * (n + 2 * m + 2) + 1] = 1;
    }
    s0 = 2;
    for (long i1 = 0; i1 < n; i1 += 3) {
        if (c[i1] < 0) {
            t1 = (((int)i1 + a[i1]) + (c[i1] > 1 ? (int)i1 : c[i1]));
        }
        s0 += fmin(fmax(fmax(a[i1], t1) * (c[n - i1 - 1] - t1), -99.0), 99.0);
        for (int j2 = 0; j2 < n - 2; j2 += 3) {
            float t2 = (((b[i1 * (n + 2 * m + 2) + j2] > 2 || j2 > 4) ? j2 : a[i1]) > ((i1 != j2 && j2 <= i1) ? 4 : 1) ? ((b[i1 * (n + 2 * m + 2) + j2] > 2 || j2 > 4) ? j2 : a[i1]) : ((i1 != j2 && j2 <= i1) ? 4 : 1));
            s0 += fmin(fmax((a[i1 + 2] + t2) * (b[i1 * (n + 2 * m + 2) + n - j2 - 3] + 7), -99.0), 99.0);
            s0 = fmin(s0, fabs(b[(j2 + 1) * (n + 2 * m + 2) + i1]));
        }
    }
    b[2 * (n + 2 * m + 2) + 0] = fmin(fmax(s0, -99.0), 99.0);
    s3 = -3;
    for (i3 = 2; i3 <= m - 1; i3 += 3) {
        s3 = s3 > (((c[i3] - i3) * (c[m - i3 - 1] + 5)) % 97) ? s3 : (((c[i3] - i3) * (c[m - i3 - 1] + 5)) % 97);
        for (long j4 = n - 1; j4 > 1; j4--) {
            if (j4 + i3 < 9) {
                b[j4 * (n + 2 * m + 2) + m - i3 - 1] = a[j4 + 1] * a[j4];
            } else {
                b[(2 * i3) * (n + 2 * m + 2) + i3] = fmax(b[(2 * i3) * (n + 2 * m + 2) + i3], fmod((b[j4 * (n + 2 * m + 2) + 2 * i3] - b[j4 * (n + 2 * m + 2) + i3]), 97.0));
            }
            if ((i3 + j4) % 2 == 0) {
                for (int k5 = m - 1; k5 > -1; k5--) {
                    s3 = s3 < fmod(((c[j4] - (int)j4) - ((b[k5 * (n + 2 * m + 2) + i3] < 5 && a[j4] < 2) ? b[k5 * (n + 2 * m + 2) + i3 - k5] : a[j4])), 97.0) ? s3 : fmod(((c[j4] - (int)j4) - ((b[k5 * (n + 2 * m + 2) + i3] < 5 && a[j4] < 2) ? b[k5 * (n + 2 * m + 2) + i3 - k5] : a[j4])), 97.0);
                    float t4 = fmin(fmax(b[(2 * j4) * (n + 2 * m + 2) + i3 - 1] * (int)j4 * c[j4], -99.0), 99.0);
                    if (fmod((9 * t4 + 8 * fmin(fmax(s0, -99.0), 99.0)), 97.0) > b[k5 * (n + 2 * m + 2) + i3]) {
                        b[k5 * (n + 2 * m + 2) + i3] = fmod((9 * t4 + 8 * fmin(fmax(s0, -99.0), 99.0)), 97.0);
                    }
                    int t5 = (a[j4] - -(a[j4 + 1]));
                    b[i3 * (n + 2 * m + 2) + m - k5 - 1] = (int)j4;
                }
            }
            s3 |= (int)(fmod((fabs(b[i3 * (n + 2 * m + 2) + i3]) * c[j4] - (c[j4 + i3] * fmin(fmax(s0, -99.0), 99.0) + (5 + s0))), 97.0));
        }
    }
    b[2 * (n + 2 * m + 2) + 1] = fmin(b[2 * (n + 2 * m + 2) + 1], ((s3) % 97));
}

static void run_f1039(void) {
    int n = 8, m = 1;
    seed = 1;
    void *a = malloc(10 * sizeof(float));
    fill_float(a, 10);
    void *b = malloc(228 * sizeof(double));
    fill_double(b, 228);
    void *c = malloc(18 * sizeof(unsigned char));
    fill_unsigned_char(c, 18);
#ifdef CHECK_EXACT
    feclearexcept(FE_ALL_EXCEPT);
#endif
    f1039(n, m, a, b, c);
    printf("f1039");
#ifdef CHECK_EXACT
    if (fetestexcept(FE_INEXACT | FE_INVALID))
        printf(" inexact");
#endif
    printf(" %016llx", sum_float(a, 10));
    printf(" %016llx", sum_double(b, 228));
    printf(" %016llx", sum_unsigned_char(c, 18));
    printf("\n");
    free(a);
    free(b);
    free(c);
}

int main(void) {
    run_f1039();
    return 0;
}
