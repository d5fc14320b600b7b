/* Sparse matrices of every type and format: made, converted, multiplied, against naive loops over all elements. */
#include "check.h"

static const RTformat formats[] = {RT_COO, RT_CSR, RT_CSC};

static double tolerance(RTtype type)
{
    return type == RT_SINGLE ? 1e-5 : 1e-13;
}

/* Entries lie as the format says: sorted, no place twice, all in the matrix. */
static void is_well_formed(const RTsparse *a, RTformat format)
{
    const int *row = RTspRowArray(a), *col = RTspColArray(a);
    const long rows = RTspRows(a), cols = RTspCols(a), count = RTspCount(a);
    const int *starts = format == RT_CSC ? col : row, *indices = format == RT_CSC ? row : col;
    const long extent = format == RT_CSC ? cols : rows, other = format == RT_CSC ? rows : cols;
    if (format == RT_COO) {
        for (long p = 0; p < count; p++) {
            CHECK(row[p] >= 0 && row[p] < rows && col[p] >= 0 && col[p] < cols);
            CHECK(p == 0 || row[p - 1] < row[p] || (row[p - 1] == row[p] && col[p - 1] < col[p]));
        }
        return;
    }
    CHECK(starts[0] == 0 && starts[extent] == count);
    for (long i = 0; i < extent; i++)
        for (int p = starts[i]; p < starts[i + 1]; p++) {
            CHECK(indices[p] >= 0 && indices[p] < other);
            CHECK(p == starts[i] || indices[p - 1] < indices[p]);
        }
}

static void from_entries(RTtype type, RTformat format)
{
    const long row[] = {2, 0, 2, 1, 2, 0}, col[] = {1, 3, 1, 0, 0, 3};
    const double value[] = {1, 2, 3, 4, 5, -2};
    const double expected[12] = {0, 0, 0, 0, 4, 0, 0, 0, 5, 4, 0, 0};
    RTsparse *a;
    DO(RTspEntries(&a, type, format, 3, 4, 6, row, col, value));
    CHECK(RTspRows(a) == 3 && RTspCols(a) == 4 && RTspCount(a) == 4);
    is_well_formed(a, format);
    double *x = full(a, type);
    CHECK(same(12, x, expected, 0));
    free(x);
    RTspFree(a);
    DO(RTspEntries(&a, type, format, 0, 0, 0, NULL, NULL, NULL));
    CHECK(RTspCount(a) == 0);
    RTspFree(a);
}

static void conversions(RTtype type)
{
    RTdense *d;
    RTsparse *a;
    DO(RTspRandom(&a, type, RT_CSR, 13, 29, 0.2, 5));
    double *x = full(a, type);
    for (int f = 0; f < 3; f++)
        for (int g = 0; g < 3; g++) {
            RTsparse *b;
            DO(RTspRandom(&b, type, formats[f], 13, 29, 0.2, 5));
            is_well_formed(b, formats[f]);
            DO(RTspConvert(b, formats[g]));
            is_well_formed(b, formats[g]);
            double *y = full(b, type);
            CHECK(same(13 * 29, x, y, 0));
            free(y);
            RTsparse *t;
            DO(RTspMT(&t, b));
            is_well_formed(t, formats[g]);
            y = full(t, type);
            for (long i = 0; i < 13; i++)
                for (long j = 0; j < 29; j++) CHECK(x[i * 29 + j] == y[j * 13 + i]);
            free(y);
            RTspFree(b), RTspFree(t);
        }
    DO(RTdFromSparse(&d, a));
    for (int f = 0; f < 3; f++) {
        RTsparse *b;
        DO(RTspFromDense(&b, formats[f], d));
        is_well_formed(b, formats[f]);
        CHECK(RTspCount(b) == RTspCount(a));
        double *y = full(b, type);
        CHECK(same(13 * 29, x, y, 0));
        free(y);
        RTspFree(b);
    }
    free(x);
    RTspFree(a), RTdFree(d);
}

static void random_ones(RTtype type)
{
    const double densities[] = {0, 0.001, 0.1, 0.5, 1};
    for (int k = 0; k < 5; k++) {
        RTsparse *a, *b, *c;
        DO(RTspRandom(&a, type, RT_CSR, 300, 200, densities[k], 7));
        DO(RTspRandom(&b, type, RT_CSR, 300, 200, densities[k], 7));
        DO(RTspRandom(&c, type, RT_CSR, 300, 200, densities[k], 8));
        const double expected = densities[k] * 60000, deviation = sqrt(60000 * densities[k] * (1 - densities[k]));
        CHECK(fabs((double)RTspCount(a) - expected) <= 5 * deviation);
        double *x = full(a, type), *y = full(b, type), *z = full(c, type);
        CHECK(same(60000, x, y, 0));
        CHECK(densities[k] == 0 || !same(60000, x, z, 0));
        free(x), free(y), free(z);
        RTspFree(a), RTspFree(b), RTspFree(c);
    }
}

static void by_dense(RTtype type, RTformat format, long m, long k, long n, double density)
{
    RTsparse *a;
    RTdense *b, *c, *x, *y;
    DO(RTspRandom(&a, type, format, m, k, density, 3));
    DO(RTdRandom(&b, type, k, n, 4));
    DO(RTdRandom(&c, type, m, n, 5));
    DO(RTdRandom(&x, type, 1, k, 6));
    DO(RTdRandom(&y, type, m, 1, 7));
    double *p = full(a, type), *q = full_dense(b, type), *v = full_dense(x, type);
    double *expected = naive(m, n, k, p, q), *by_vector = naive(m, 1, k, p, v);
    for (int again = 0; again < 2; again++) {
        DO(type == RT_SINGLE ? RTspdSMM(a, b, c) : RTspdDMM(a, b, c));
        DO(type == RT_SINGLE ? RTspdSMV(a, x, y) : RTspdDMV(a, x, y));
        double *z = full_dense(c, type), *w = full_dense(y, type);
        CHECK(same(m * n, z, expected, tolerance(type)));
        CHECK(same(m, w, by_vector, tolerance(type)));
        free(z), free(w);
    }
    free(p), free(q), free(v), free(expected), free(by_vector);
    RTspFree(a);
    RTdFree(b), RTdFree(c), RTdFree(x), RTdFree(y);
}

static void by_sparse(RTtype type, RTformat f, RTformat g, long m, long k, long n, double density)
{
    RTsparse *a, *b, *c, *d;
    RTdense *x, *y;
    DO(RTspRandom(&a, type, f, m, k, density, 13));
    DO(RTspRandom(&b, type, g, k, n, density, 14));
    DO(RTspRandom(&c, type, RT_COO, m, n, 0.3, 15)); /* is replaced */
    DO(type == RT_SINGLE ? RTspSMM(a, b, c) : RTspDMM(a, b, c));
    /* The product is used where it is before it is looked at. */
    DO(RTdRandom(&x, type, n, 1, 16));
    DO(RTdAlloc(&y, type, m, 1));
    DO(type == RT_SINGLE ? RTspdSMV(c, x, y) : RTspdDMV(c, x, y));
    double *p = full(a, type), *q = full(b, type), *v = full_dense(x, type), *expected = naive(m, n, k, p, q);
    double *by_vector = naive(m, 1, n, expected, v), *w = full_dense(y, type);
    CHECK(same(m, w, by_vector, tolerance(type)));
    is_well_formed(c, RT_CSR);
    double *z = full(c, type);
    CHECK(same(m * n, z, expected, tolerance(type)));
    free(z), free(w), free(v), free(by_vector);
    DO(type == RT_SINGLE ? RTspdSMV(c, x, y) : RTspdDMV(c, x, y));
    DO(RTspAlloc(&d, type, m, n));
    DO(type == RT_SINGLE ? RTspSMM(a, b, d) : RTspDMM(a, b, d));
    DO(RTspConvert(d, RT_CSC));
    is_well_formed(d, RT_CSC);
    z = full(d, type);
    CHECK(same(m * n, z, expected, tolerance(type)));
    free(p), free(q), free(z), free(expected);
    RTspFree(a), RTspFree(b), RTspFree(c), RTspFree(d);
    RTdFree(x), RTdFree(y);
}

/* Values that the program writes between two products. */
static void new_values(void)
{
    RTsparse *a;
    RTdense *x, *y;
    DO(RTspRandom(&a, RT_DOUBLE, RT_CSR, 6, 6, 1, 1));
    DO(RTdAlloc(&x, RT_DOUBLE, 6, 1));
    DO(RTdAlloc(&y, RT_DOUBLE, 6, 1));
    DO(RTdFill(x, 1));
    for (int k = 1; k < 4; k++) {
        for (long p = 0; p < RTspCount(a); p++) RTspDData(a)[p] = k;
        DO(RTspdDMV(a, x, y));
        CHECK(RTdDRead(y)[5] == 6 * k && RTspDRead(a)[35] == k);
    }
    RTspFree(a);
    RTdFree(x), RTdFree(y);
    DO(RTspRandom(&a, RT_SINGLE, RT_CSR, 1, 1, 1, 1));
    RTspSData(a)[0] = 2;
    CHECK(RTspSRead(a)[0] == 2);
    RTspFree(a);
}

int main(void)
{
    const RTtype types[] = {RT_SINGLE, RT_DOUBLE};
    for (int t = 0; t < 2; t++) {
        conversions(types[t]);
        random_ones(types[t]);
        for (int f = 0; f < 3; f++) {
            from_entries(types[t], formats[f]);
            by_dense(types[t], formats[f], 30, 20, 5, 0.2);
            by_dense(types[t], formats[f], 7, 90, 1, 0.1);
            by_dense(types[t], formats[f], 9, 4, 3, 0);
            by_dense(types[t], formats[f], 1, 1, 2, 1);
            for (int g = 0; g < 3; g++) by_sparse(types[t], formats[f], formats[g], 20, 30, 25, 0.15);
            by_sparse(types[t], formats[f], RT_CSR, 12, 12, 12, 1);
            by_sparse(types[t], formats[f], RT_CSR, 12, 12, 12, 0);
        }
    }
    new_values();
    return 0;
}
