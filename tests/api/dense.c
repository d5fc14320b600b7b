/* Dense operators of both types against naive loops; and that results follow where data move between host and device. */
#include "check.h"

static double tolerance(RTtype type)
{
    return type == RT_SINGLE ? 1e-5 : 1e-13;
}

static void products(RTtype type, long m, long n, long k)
{
    RTdense *a, *b, *c;
    DO(RTdRandom(&a, type, m, k, 1));
    DO(RTdRandom(&b, type, k, n, 2));
    DO(RTdRandom(&c, type, m, n, 3)); /* what was there is not added to */
    DO(type == RT_SINGLE ? RTdSMM(a, b, c) : RTdDMM(a, b, c));
    double *x = full_dense(a, type), *y = full_dense(b, type), *z = full_dense(c, type), *expected = naive(m, n, k, x, y);
    CHECK(same(m * n, z, expected, tolerance(type)));
    free(x), free(y), free(z), free(expected);
    RTdFree(a), RTdFree(b), RTdFree(c);
}

static void by_vector(RTtype type, long m, long n, int as_row)
{
    RTdense *a, *x, *y;
    DO(RTdRandom(&a, type, m, n, 4));
    DO(RTdRandom(&x, type, as_row ? 1 : n, as_row ? n : 1, 5));
    DO(RTdAlloc(&y, type, as_row ? 1 : m, as_row ? m : 1));
    DO(type == RT_SINGLE ? RTdSMV(a, x, y) : RTdDMV(a, x, y));
    double *p = full_dense(a, type), *q = full_dense(x, type), *z = full_dense(y, type), *expected = naive(m, 1, n, p, q);
    CHECK(same(m, z, expected, tolerance(type)));
    free(p), free(q), free(z), free(expected);
    RTdFree(a), RTdFree(x), RTdFree(y);
}

static void others(RTtype type, long m, long n)
{
    RTdense *a, *b, *x, *y, *c;
    double sum = 0, expected = 0, norm;
    float single;
    DO(RTdRandom(&a, type, m, n, 6));
    DO(RTdAlloc(&b, type, n, m));
    DO(type == RT_SINGLE ? RTdSMT(a, b) : RTdDMT(a, b));
    DO(RTdRandom(&x, type, m, 1, 7));
    DO(RTdRandom(&y, type, 1, n, 8));
    DO(RTdRandom(&c, type, m, n, 9));
    DO(type == RT_SINGLE ? RTdSVV(x, y, c) : RTdDVV(x, y, c));
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            CHECK(element(a, type, i, j) == element(b, type, j, i));
            CHECK(near(element(c, type, i, j), element(x, type, i, 0) * element(y, type, 0, j), tolerance(type)));
        }
    RTdFree(y);
    DO(RTdRandom(&y, type, 1, m, 10));
    for (long i = 0; i < m; i++) expected += element(x, type, i, 0) * element(y, type, 0, i);
    if (type == RT_SINGLE) {
        DO(RTdSDOT(x, y, &single));
        sum = (double)single;
    } else {
        DO(RTdDDOT(x, y, &sum));
    }
    CHECK(near(sum, expected, tolerance(type)));
    DO(type == RT_SINGLE ? RTdSDOT(x, x, &single) : RTdDDOT(x, x, &sum));
    DO(RTdNorm(x, &norm));
    CHECK(near(norm * norm, type == RT_SINGLE ? (double)single : sum, 10 * tolerance(type)));
    RTdFree(a), RTdFree(b), RTdFree(x), RTdFree(y), RTdFree(c);
}

static void by_elements(RTtype type, long rows, long cols)
{
    RTdense *x, *y, *z;
    DO(RTdRandom(&x, type, rows, cols, 11));
    DO(RTdAlloc(&y, type, rows, cols));
    DO(RTdAlloc(&z, type, rows, cols));
    double *v = full_dense(x, type), *w;
    const long n = rows * cols;
    DO(RTdCopy(x, y));
    DO(RTdScale(3, y));
    DO(RTdAxpy(-0.5, x, y)); /* 2.5 x */
    DO(RTdAdd(2, x, 4, y, z)); /* 12 x */
    DO(RTdAdd(1, z, -2, x, z)); /* 10 x */
    DO(RTdAdd(1, x, 0.5, z, z)); /* 6 x */
    w = full_dense(z, type);
    for (long i = 0; i < n; i++) CHECK(near(w[i], 6 * v[i], tolerance(type)));
    free(w);
    DO(RTdFill(y, 2));
    DO(RTdAxpy(1, x, y));
    DO(RTdFill(z, 0));
    DO(RTdAxpy(1, y, z));
    w = full_dense(z, type);
    for (long i = 0; i < n; i++) CHECK(near(w[i], 2 + v[i], tolerance(type)));
    free(w);
    DO(RTdScale(0, z));
    w = full_dense(z, type);
    for (long i = 0; i < n; i++) CHECK(w[i] == 0);
    free(v), free(w);
    RTdFree(x), RTdFree(y), RTdFree(z);
}

/* What has the factor 0 is not read, though it is no number. */
static void factors_of_zero(void)
{
    RTdense *x, *y, *z;
    DO(RTdAlloc(&x, RT_DOUBLE, 3, 1));
    DO(RTdAlloc(&y, RT_DOUBLE, 3, 1));
    DO(RTdAlloc(&z, RT_DOUBLE, 3, 1));
    DO(RTdFill(x, NAN));
    DO(RTdFill(y, 1));
    DO(RTdAxpy(0, x, y));
    DO(RTdAdd(0, x, 3, y, z));
    CHECK(RTdDRead(y)[2] == 1 && RTdDRead(z)[2] == 3);
    DO(RTdAdd(0, x, 0, x, z));
    DO(RTdScale(0, x));
    CHECK(RTdDRead(x)[0] == 0 && RTdDRead(z)[1] == 0);
    RTdFree(x), RTdFree(y), RTdFree(z);
}

/* Norms whose squares leave the range of a double. */
static void far_norms(void)
{
    RTdense *x;
    double norm;
    DO(RTdAlloc(&x, RT_DOUBLE, 2, 1));
    DO(RTdNorm(x, &norm));
    CHECK(norm == 0);
    RTdDData(x)[0] = 3e200, RTdDData(x)[1] = -4e200;
    DO(RTdNorm(x, &norm));
    CHECK(near(norm / 5e200, 1, 1e-14));
    RTdDData(x)[0] = 3e-200, RTdDData(x)[1] = 4e-200;
    DO(RTdNorm(x, &norm));
    CHECK(near(norm / 5e-200, 1, 1e-14));
    RTdFree(x);
}

/* Reading leaves the device's copy as it is, writing renews it, at any step. */
static void moves(void)
{
    RTdense *x, *y;
    double sum;
    DO(RTdAlloc(&x, RT_DOUBLE, 4, 1));
    DO(RTdAlloc(&y, RT_DOUBLE, 4, 1));
    for (int i = 0; i < 4; i++) RTdDData(x)[i] = i;
    DO(RTdAxpy(1, x, y));
    CHECK(RTdDRead(y)[3] == 3);
    RTdDData(y)[0] = 10;
    DO(RTdAxpy(2, x, y));
    CHECK(RTdDRead(y)[0] == 10 && RTdDRead(y)[3] == 9);
    RTdDData(x)[3] = 5;
    DO(RTdDDOT(x, y, &sum));
    CHECK(sum == 1 * 3 + 2 * 6 + 5 * 9);
    DO(RTdFill(x, 0));
    CHECK(RTdDRead(x)[3] == 0);
    DO(RTdAxpy(1, y, x));
    DO(RTdFill(x, 0));
    DO(RTdDDOT(x, y, &sum));
    CHECK(sum == 0);
    DO(RTwait());
    RTdFree(x), RTdFree(y);
}

static void seeds(RTtype type)
{
    RTdense *a, *b, *c;
    int differ = 0;
    DO(RTdRandom(&a, type, 5, 7, 42));
    DO(RTdRandom(&b, type, 5, 7, 42));
    DO(RTdRandom(&c, type, 5, 7, 43));
    for (long i = 0; i < 5; i++)
        for (long j = 0; j < 7; j++) {
            const double value = element(a, type, i, j);
            CHECK(value == element(b, type, i, j) && value > 0 && value < 1);
            differ += value != element(c, type, i, j);
        }
    CHECK(differ > 30);
    RTdFree(a), RTdFree(b), RTdFree(c);
}

int main(void)
{
    const RTtype types[] = {RT_SINGLE, RT_DOUBLE};
    for (int t = 0; t < 2; t++) {
        products(types[t], 1, 1, 1);
        products(types[t], 3, 5, 7);
        products(types[t], 67, 70, 130);
        products(types[t], 5, 600, 70);
        products(types[t], 4, 5, 0);
        products(types[t], 0, 5, 3);
        by_vector(types[t], 7, 5, 0);
        by_vector(types[t], 33, 100, 1);
        by_vector(types[t], 600, 500, 0);
        by_vector(types[t], 3, 0, 0);
        others(types[t], 1, 9);
        others(types[t], 40, 33);
        by_elements(types[t], 1, 5);
        by_elements(types[t], 9001, 1);
        by_elements(types[t], 17, 40);
        by_elements(types[t], 0, 1);
        seeds(types[t]);
    }
    factors_of_zero();
    far_norms();
    moves();
    CHECK(strlen(RTdevice()) > 0);
    printf("%s\n", RTdevice());
    return 0;
}
