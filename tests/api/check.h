/* What the programs of this folder check with: each check that fails says where, and ends the program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rtcuda_api.h"

#define CHECK(condition)                                                                                                  \
    do {                                                                                                                  \
        if (!(condition)) {                                                                                               \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, RTlastError());                           \
            exit(1);                                                                                                      \
        }                                                                                                                 \
    } while (0)

/* A call that works. */
#define DO(call) CHECK((call) == RT_OK)

/* A call that fails with a code and a message that has a part. */
#define FAILS(call, code, part)                                                                                           \
    do {                                                                                                                  \
        CHECK((call) == (code));                                                                                          \
        CHECK(strstr(RTlastError(), part) != NULL);                                                                       \
    } while (0)

static inline int near(double x, double y, double tolerance)
{
    return fabs(x - y) <= tolerance * (1 + fabs(x) + fabs(y));
}

/* An element of either type, read on the host. */
static inline double element(const RTdense *a, RTtype type, long i, long j)
{
    const long at = i * RTdCols(a) + j;
    return type == RT_SINGLE ? (double)RTdSRead(a)[at] : RTdDRead(a)[at];
}

/* All elements of a sparse matrix, of any type and format, in a new array by rows. */
static inline double *full(const RTsparse *a, RTtype type)
{
    RTdense *d;
    DO(RTdFromSparse(&d, a));
    const long rows = RTdRows(d), cols = RTdCols(d);
    double *out = malloc((size_t)(rows * cols + 1) * sizeof *out);
    CHECK(out != NULL);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++) out[i * cols + j] = element(d, type, i, j);
    RTdFree(d);
    return out;
}

/* The same of a dense one. */
static inline double *full_dense(const RTdense *a, RTtype type)
{
    const long rows = RTdRows(a), cols = RTdCols(a);
    double *out = malloc((size_t)(rows * cols + 1) * sizeof *out);
    CHECK(out != NULL);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++) out[i * cols + j] = element(a, type, i, j);
    return out;
}

/* c = a b by naive loops, all by rows. */
static inline double *naive(long m, long n, long k, const double *a, const double *b)
{
    double *c = calloc((size_t)(m * n + 1), sizeof *c);
    CHECK(c != NULL);
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            for (long p = 0; p < k; p++) c[i * n + j] += a[i * k + p] * b[p * n + j];
    return c;
}

static inline int same(long n, const double *x, const double *y, double tolerance)
{
    for (long i = 0; i < n; i++)
        if (!near(x[i], y[i], tolerance)) return 0;
    return 1;
}
