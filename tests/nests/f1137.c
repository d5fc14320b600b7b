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

static double f1137_b[3];
static int f1137_d[14][7];
static void f1137(int n, int m, int a[n + 1][2 * n + 1], int c[2 * n + m + 5]) {
    int t4 = 0;
    int i0;
    int j1;
    int i7;
    for (i0 = n - 1; i0 >= 0; i0 -= 3) {
        for (j1 = 0; j1 < i0 + 1; j1 += 3) {
            if (j1 > 1) {
                c[0] += ~((a[i0][j1] - j1));
            } else {
                c[i0] += ((((f1137_d[n - i0 - 1][j1] + a[i0][j1]) / 3)) % 97);
            }
            if (f1137_d[i0][j1] != 4) {
                c[i0] &= (int)(fmod((~((i0 > a[i0][j1] ? i0 : a[i0][j1])) - ((f1137_b[2 * i0] + a[i0][j1 + i0]) + (2 - 8))), 97.0));
            }
        }
    }
    for (int i2 = 0; i2 < n - 1; i2++) {
        for (int j3 = 4; j3 > -1; j3--) {
            double t0 = fmin(fmax((j3 == 1 ? f1137_b[i2 - j3 + 4] * f1137_b[i2] : f1137_b[n - i2 - 2] * f1137_b[i2]), -99.0), 99.0);
            c[-j3 + 4] |= (int)(fmod((6 > 1 ? f1137_b[i2] : (f1137_d[i2][j3 + 2] + f1137_b[i2])), 97.0));
            float t1 = fmod(((t0 < 2 ? f1137_b[i2] : t0) + (f1137_b[i2] - f1137_d[j3][i2])), 97.0);
            c[j3] += t1;
        }
        long t2 = fmod((i2 < a[i2 + 1][i2] ? i2 : a[i2 + 1][i2]) * (f1137_b[i2] + a[i2][i2]), 97.0);
        c[i2] -= i2;
    }
    for (int i4 = n - 3; i4 >= 0; i4 -= 3) {
        int t3 = fmin(fmax(((a[i4][i4] != 2 || f1137_b[i4] > 3) ? (f1137_b[i4] + c[n - i4 - 3]) : (c[i4] - c[i4])), -99.0), 99.0);
        c[3] = i4;
        for (int j5 = 0; j5 < n; j5++) {
            if (i4 != j5) {
                for (int k6 = 0; k6 != n; k6++) {
                    c[k6] += (((c[2 * j5] ^ (f1137_d[j5][k6] - t3))) % 97);
                    if (t4 > 5) {
                        t4 = k6;
                    }
                    c[k6] += (k6 > a[k6][n - i4 - 3] ? k6 : a[k6][n - i4 - 3]);
                }
            }
        }
        float t5 = fmod((f1137_b[2 * i4] * ((c[i4]) % 97) - (4 + i4)), 97.0);
        c[i4] = f1137_b[i4];
    }
    for (i7 = 0; i7 != m - 2; i7++) {
        for (size_t j8 = 2; j8 < n; j8 += 3) {
            if (j8 != i7) {
                f1137_d[i7][j8 + 1] = ((((f1137_d[i7][j8] + 7) + (f1137_d[i7][j8] + 2))) % 97);
            } else {
                f1137_d[i7][j8] = fabs(f1137_b[j8]);
            }
            int t6 = fmin(fmax(fabs(((c[i7]) % 97) * f1137_b[j8]), -99.0), 99.0);
            f1137_d[i7][j8] ^= (int)j8;
        }
    }
}

static void run_f1137(void) {
    int n = 0, m = 9;
    seed = 1;
    void *a = malloc(1 * sizeof(int));
    fill_int(a, 1);
    void *c = malloc(14 * sizeof(int));
    fill_int(c, 14);
    fill_double((double *)f1137_b, 3);
    fill_int((int *)f1137_d, 98);
#ifdef CHECK_EXACT
    feclearexcept(FE_ALL_EXCEPT);
#endif
    f1137(n, m, a, c);
    printf("f1137");
#ifdef CHECK_EXACT
    if (fetestexcept(FE_INEXACT | FE_INVALID))
        printf(" inexact");
#endif
    printf(" %016llx", sum_int(a, 1));
    printf(" %016llx", sum_int(c, 14));
    printf(" %016llx", sum_double((double *)f1137_b, 3));
    printf(" %016llx", sum_int((int *)f1137_d, 98));
    printf("\n");
    free(a);
    free(c);
}

int main(void) {
    run_f1137();
    return 0;
}
