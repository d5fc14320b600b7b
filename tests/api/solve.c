/* Triangular solves of every part, use, format and type; ILU(0) and IC(0) by what they are defined by: where A has an
 * entry the product of the factors is A, and of a matrix without fill they are the whole factorisation. */
#include "check.h"

static double tolerance(RTtype type)
{
    return type == RT_SINGLE ? 2e-4 : 1e-11;
}

/* Random, with a diagonal that dominates, so that both triangles are well conditioned. */
static RTsparse *matrix(RTtype type, RTformat format, long n, int is_symmetric)
{
    RTsparse *random, *a;
    DO(RTspRandom(&random, RT_DOUBLE, RT_COO, n, n, 0.2, 21));
    const long count = RTspCount(random);
    const int *rows = RTspRowArray(random), *cols = RTspColArray(random);
    long *row = malloc((size_t)(2 * count + n) * sizeof *row), *col = malloc((size_t)(2 * count + n) * sizeof *col);
    double *value = malloc((size_t)(2 * count + n) * sizeof *value);
    CHECK(row && col && value);
    long m = 0;
    for (long p = 0; p < count; p++) {
        row[m] = rows[p], col[m] = cols[p], value[m++] = RTspDRead(random)[p] - 0.5;
        if (is_symmetric) row[m] = cols[p], col[m] = rows[p], value[m] = value[m - 1], m++;
    }
    for (long i = 0; i < n; i++) row[m] = i, col[m] = i, value[m++] = 8 + (double)(i % 3);
    DO(RTspEntries(&a, type, format, n, n, m, row, col, value));
    free(row), free(col), free(value);
    RTspFree(random);
    return a;
}

/* The triangle as all its elements. */
static double *triangle(const RTsparse *a, RTtype type, RTpart part, RTuse use)
{
    const long n = RTspRows(a);
    double *x = full(a, type), *out = calloc((size_t)(n * n), sizeof *out);
    CHECK(out != NULL);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            const int is_in = part == RT_LOWER || part == RT_UNIT_LOWER ? j <= i : j >= i;
            const int is_one = i == j && (part == RT_UNIT_LOWER || part == RT_UNIT_UPPER);
            if (is_in) out[use == RT_PLAIN ? i * n + j : j * n + i] = is_one ? 1 : x[i * n + j];
        }
    free(x);
    return out;
}

static void solves(RTtype type, RTformat format, long n)
{
    RTsparse *a = matrix(type, format, n, 0);
    RTdense *b, *x;
    DO(RTdRandom(&b, type, n, 1, 31));
    DO(RTdAlloc(&x, type, n, 1));
    double *right = full_dense(b, type);
    for (int part = RT_LOWER; part <= RT_UNIT_UPPER; part++)
        for (int use = RT_PLAIN; use <= RT_TRANSPOSED; use++)
            for (int again = 0; again < 2; again++) {
                /* With ones on the diagonal the others must be small. */
                RTsparse *m = a;
                if (part >= RT_UNIT_LOWER) {
                    m = matrix(type, format, n, 0);
                    for (long p = 0; p < RTspCount(m); p++)
                        if (type == RT_SINGLE)
                            RTspSData(m)[p] *= 0.05f;
                        else
                            RTspDData(m)[p] *= 0.05;
                }
                DO(RTspSolve((RTpart)part, (RTuse)use, m, b, x));
                double *t = triangle(m, type, (RTpart)part, (RTuse)use), *y = full_dense(x, type);
                double *product = naive(n, 1, n, t, y);
                CHECK(same(n, product, right, tolerance(type)));
                free(t), free(y), free(product);
                if (m != a) RTspFree(m);
            }
    /* Values that the program writes are those of the next solve. */
    if (type == RT_DOUBLE) {
        for (long p = 0; p < RTspCount(a); p++) RTspDData(a)[p] *= 2;
        DO(RTspSolve(RT_LOWER, RT_PLAIN, a, b, x));
        double *t = triangle(a, type, RT_LOWER, RT_PLAIN), *y = full_dense(x, type), *product = naive(n, 1, n, t, y);
        CHECK(same(n, product, right, tolerance(type)));
        free(t), free(y), free(product);
    }
    free(right);
    RTspFree(a);
    RTdFree(b), RTdFree(x);
}

/* Whether the product of the factors is A where A has an entry, or everywhere. */
static void is_factored(const RTsparse *a, RTtype type, const double *left, const double *right, int everywhere)
{
    const long n = RTspRows(a);
    double *x = full(a, type), *product = naive(n, n, n, left, right);
    for (long i = 0; i < n * n; i++) CHECK((x[i] == 0 && !everywhere) || near(x[i], product[i], tolerance(type)));
    free(x), free(product);
}

static void factors(const RTsparse *a, RTtype type, int everywhere)
{
    RTsparse *lu, *l;
    DO(RTspILU0(&lu, a));
    CHECK(RTspCount(lu) == RTspCount(a));
    double *lower = triangle(lu, type, RT_UNIT_LOWER, RT_PLAIN), *upper = triangle(lu, type, RT_UPPER, RT_PLAIN);
    is_factored(a, type, lower, upper, everywhere);
    free(lower), free(upper);
    RTspFree(lu);
    DO(RTspIC0(&l, a));
    lower = triangle(l, type, RT_LOWER, RT_PLAIN), upper = triangle(l, type, RT_LOWER, RT_TRANSPOSED);
    is_factored(a, type, lower, upper, everywhere);
    free(lower), free(upper);
    RTspFree(l);
}

/* A tridiagonal matrix has no fill: its factors solve with it. */
static void tridiagonal(RTtype type, RTformat format)
{
    enum { n = 40 };
    long row[3 * n], col[3 * n];
    double value[3 * n];
    long m = 0;
    for (long i = 0; i < n; i++)
        for (long j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) row[m] = i, col[m] = j, value[m++] = i == j ? 2.5 : -1;
    RTsparse *a, *l, *lu;
    RTdense *b, *y, *x, *back;
    DO(RTspEntries(&a, type, format, n, n, m, row, col, value));
    factors(a, type, 1);
    DO(RTdRandom(&b, type, n, 1, 41));
    DO(RTdAlloc(&y, type, n, 1));
    DO(RTdAlloc(&x, type, n, 1));
    DO(RTdAlloc(&back, type, n, 1));
    DO(RTspIC0(&l, a));
    DO(RTspSolve(RT_LOWER, RT_PLAIN, l, b, y));
    DO(RTspSolve(RT_LOWER, RT_TRANSPOSED, l, y, x));
    DO(type == RT_SINGLE ? RTspdSMV(a, x, back) : RTspdDMV(a, x, back));
    for (long i = 0; i < n; i++) CHECK(near(element(back, type, i, 0), element(b, type, i, 0), tolerance(type)));
    DO(RTspILU0(&lu, a));
    DO(RTspSolve(RT_UNIT_LOWER, RT_PLAIN, lu, b, y));
    DO(RTspSolve(RT_UPPER, RT_PLAIN, lu, y, x));
    DO(type == RT_SINGLE ? RTspdSMV(a, x, back) : RTspdDMV(a, x, back));
    for (long i = 0; i < n; i++) CHECK(near(element(back, type, i, 0), element(b, type, i, 0), tolerance(type)));
    RTspFree(a), RTspFree(l), RTspFree(lu);
    RTdFree(b), RTdFree(x), RTdFree(y), RTdFree(back);
}

int main(void)
{
    const RTtype types[] = {RT_SINGLE, RT_DOUBLE};
    const RTformat formats[] = {RT_COO, RT_CSR, RT_CSC};
    for (int t = 0; t < 2; t++)
        for (int f = 0; f < 3; f++) {
            RTsparse *a = matrix(types[t], formats[f], 50, 1);
            factors(a, types[t], 0);
            RTspFree(a);
            tridiagonal(types[t], formats[f]);
            if (formats[f] != RT_COO) solves(types[t], formats[f], 1), solves(types[t], formats[f], 60);
        }
    return 0;
}
