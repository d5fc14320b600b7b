/* Every code of an error, what it says, and that nothing was changed. */
#include "check.h"

static RTdense *dense(RTtype type, long rows, long cols)
{
    RTdense *a;
    DO(RTdRandom(&a, type, rows, cols, 1));
    return a;
}

static RTsparse *sparse(RTtype type, RTformat format, long rows, long cols)
{
    RTsparse *a;
    DO(RTspRandom(&a, type, format, rows, cols, 0.5, 1));
    return a;
}

static void of_dense(void)
{
    RTdense *a = dense(RT_DOUBLE, 3, 4), *b = dense(RT_DOUBLE, 4, 2), *c = dense(RT_DOUBLE, 3, 2);
    RTdense *s = dense(RT_SINGLE, 3, 4), *x = dense(RT_DOUBLE, 4, 1), *y = dense(RT_DOUBLE, 3, 1), *q;
    const double before = RTdDRead(c)[0];
    double sum;
    float single;
    FAILS(RTdDMM(NULL, b, c), RT_ENULL, "RTdDMM: A is NULL");
    FAILS(RTdDMM(a, NULL, c), RT_ENULL, "B is NULL");
    FAILS(RTdDMM(a, b, NULL), RT_ENULL, "C is NULL");
    FAILS(RTdDMM(a, a, c), RT_ESHAPE, "A is 3 x 4 and B is 3 x 4: the columns of A are not the rows of B");
    FAILS(RTdDMM(a, b, a), RT_ESHAPE, "C is 3 x 4, and 3 x 2 is needed");
    FAILS(RTdDMM(s, b, c), RT_ETYPE, "A is RT_SINGLE, and RT_DOUBLE is meant");
    FAILS(RTdSMM(s, b, c), RT_ETYPE, "B is RT_DOUBLE, and RT_SINGLE is meant");
    RTdense *square = dense(RT_DOUBLE, 3, 3);
    FAILS(RTdDMM(square, square, square), RT_EALIAS, "A is the result, too");
    FAILS(RTdDMT(square, square), RT_EALIAS, "A is the result, too");
    FAILS(RTdDMV(square, y, y), RT_EALIAS, "x is the result, too");
    FAILS(RTdDMV(a, y, y), RT_ESHAPE, "x is 3 x 1, and a vector of 4 elements is needed");
    FAILS(RTdDMV(a, x, x), RT_ESHAPE, "y is 4 x 1, and a vector of 3 elements is needed");
    FAILS(RTdSMV(a, x, y), RT_ETYPE, "RTdSMV: A is RT_DOUBLE");
    FAILS(RTdDMT(a, b), RT_ESHAPE, "B is 4 x 2, and 4 x 3 is needed");
    FAILS(RTdDVV(x, y, c), RT_ESHAPE, "C is 3 x 2, and 4 x 3 is needed");
    FAILS(RTdDVV(c, y, c), RT_ESHAPE, "x is 3 x 2, and a vector of 6 elements is needed");
    FAILS(RTdSVV(x, y, c), RT_ETYPE, "RTdSVV");
    FAILS(RTdDDOT(x, y, &sum), RT_ESHAPE, "y is 3 x 1, and a vector of 4 elements is needed");
    FAILS(RTdDDOT(x, x, NULL), RT_ENULL, "result is NULL");
    FAILS(RTdSDOT(x, x, &single), RT_ETYPE, "RTdSDOT");
    FAILS(RTdSDOT(NULL, x, &single), RT_ENULL, "x is NULL");
    FAILS(RTdCopy(x, y), RT_ESHAPE, "y is 3 x 1");
    FAILS(RTdCopy(x, x), RT_EALIAS, "x is the result");
    FAILS(RTdAxpy(1, s, a), RT_ETYPE, "y is RT_DOUBLE, and RT_SINGLE is meant");
    FAILS(RTdAxpy(1, a, NULL), RT_ENULL, "y is NULL");
    FAILS(RTdAxpy(1, a, a), RT_EALIAS, "x is the result");
    FAILS(RTdAdd(1, x, 1, x, y), RT_ESHAPE, "z is 3 x 1");
    FAILS(RTdScale(2, NULL), RT_ENULL, "x is NULL");
    FAILS(RTdFill(NULL, 2), RT_ENULL, "x is NULL");
    FAILS(RTdNorm(x, NULL), RT_ENULL, "result is NULL");
    FAILS(RTdAlloc(NULL, RT_DOUBLE, 1, 1), RT_ENULL, "out is NULL");
    FAILS(RTdAlloc(&q, (RTtype)7, 1, 1), RT_ETYPE, "7 is no type");
    CHECK(q == NULL);
    FAILS(RTdAlloc(&q, RT_DOUBLE, -1, 1), RT_EVALUE, "-1 x 1: rows and columns are 0 to");
    FAILS(RTdAlloc(&q, RT_DOUBLE, 1L << 40, 1L << 40), RT_EVALUE, "more than memory can have");
    DO(RTdAlloc(&q, RT_DOUBLE, 1L << 26, 1L << 31)); /* 2^60 bytes: none are taken yet */
    CHECK(RTdDData(q) == NULL);
    CHECK(strstr(RTlastError(), "cannot be had on the host") != NULL);
    FAILS(RTdFill(q, 1), RT_ENOMEM, "RTdFill: 1152921504606846976 bytes cannot be had");
    RTdFree(q);
    FAILS(RTdRandom(&q, RT_DOUBLE, 1L << 26, 1L << 31, 1), RT_ENOMEM, "RTdRandom");
    CHECK(q == NULL);
    CHECK(RTdSData(a) == NULL && strstr(RTlastError(), "RTdSData: A is RT_DOUBLE"));
    CHECK(RTdDData(s) == NULL && RTdDRead(NULL) == NULL && RTdSRead(a) == NULL);
    CHECK(RTdRows(NULL) == -1 && RTdCols(NULL) == -1);
    CHECK(RTdDRead(c)[0] == before);
    RTdFree(NULL);
    RTdFree(a), RTdFree(b), RTdFree(c), RTdFree(s), RTdFree(x), RTdFree(y), RTdFree(square);
}

static void of_sparse(void)
{
    RTsparse *a = sparse(RT_DOUBLE, RT_CSR, 4, 4), *r = sparse(RT_DOUBLE, RT_CSR, 3, 4), *q;
    RTsparse *coo = sparse(RT_DOUBLE, RT_COO, 4, 4), *s = sparse(RT_SINGLE, RT_CSR, 4, 4);
    RTdense *x = dense(RT_DOUBLE, 4, 1), *y = dense(RT_DOUBLE, 4, 1), *short_one = dense(RT_DOUBLE, 3, 1);
    const long row[] = {0, 4}, col[] = {0, 0}, fine[] = {0, 1};
    const double value[] = {1, 2}, huge[] = {1e300, 1}, nan[] = {NAN, 1};
    FAILS(RTspDMM(a, r, a), RT_ESHAPE, "A is 4 x 4 and B is 3 x 4");
    FAILS(RTspDMM(r, a, a), RT_ESHAPE, "C is 4 x 4, and 3 x 4 is needed");
    FAILS(RTspDMM(a, a, a), RT_EALIAS, "A is the result");
    FAILS(RTspSMM(s, s, a), RT_ETYPE, "C is RT_DOUBLE");
    FAILS(RTspDMM(a, NULL, a), RT_ENULL, "B is NULL");
    FAILS(RTspdDMV(a, short_one, y), RT_ESHAPE, "x is 3 x 1");
    FAILS(RTspdDMV(a, x, x), RT_EALIAS, "x is the result");
    FAILS(RTspdDMV(s, x, y), RT_ETYPE, "A is RT_SINGLE");
    FAILS(RTspdSMV(s, x, y), RT_ETYPE, "x is RT_DOUBLE");
    FAILS(RTspdDMM(a, short_one, y), RT_ESHAPE, "B is 3 x 1");
    FAILS(RTspdDMM(NULL, x, y), RT_ENULL, "A is NULL");
    FAILS(RTspConvert(a, (RTformat)9), RT_EFORMAT, "9 is no format");
    FAILS(RTspConvert(NULL, RT_COO), RT_ENULL, "A is NULL");
    FAILS(RTspEntries(&q, RT_DOUBLE, RT_CSR, 4, 4, 2, row, col, value), RT_EVALUE,
          "entry 1 is at row 4, column 0 (from 0) of a 4 x 4 matrix");
    CHECK(q == NULL);
    FAILS(RTspEntries(&q, RT_DOUBLE, RT_CSR, 4, 4, 2, NULL, col, value), RT_ENULL, "row is NULL");
    FAILS(RTspEntries(&q, RT_DOUBLE, RT_CSR, 4, 4, 2, fine, col, NULL), RT_ENULL, "value is NULL");
    FAILS(RTspEntries(&q, RT_DOUBLE, RT_CSR, 4, 4, -1, row, col, value), RT_EVALUE, "n is -1");
    FAILS(RTspEntries(&q, RT_SINGLE, RT_CSR, 4, 4, 2, fine, col, huge), RT_EVALUE, "is no finite float");
    FAILS(RTspEntries(&q, RT_DOUBLE, RT_CSR, 4, 4, 2, fine, col, nan), RT_EVALUE, "row 0, column 0 (from 0) is no finite");
    FAILS(RTspRandom(&q, RT_DOUBLE, RT_CSR, 4, 4, 1.5, 1), RT_EVALUE, "the density is 1.5");
    FAILS(RTspRandom(&q, RT_DOUBLE, RT_CSR, 4, 4, NAN, 1), RT_EVALUE, "the density is");
    FAILS(RTspRandom(&q, RT_DOUBLE, RT_CSR, 100000, 100000, 0.9, 1), RT_EVALUE, "is more than 2147483646 entries");
    FAILS(RTspRandom(&q, RT_DOUBLE, RT_CSR, -4, 4, 0.9, 1), RT_EVALUE, "-4 x 4");
    FAILS(RTspAlloc(&q, RT_DOUBLE, 1L << 31, 4), RT_EVALUE, "0 to 2147483646");
    FAILS(RTspAlloc(NULL, RT_DOUBLE, 1, 4), RT_ENULL, "out is NULL");
    FAILS(RTspSolve(RT_LOWER, RT_PLAIN, r, short_one, x), RT_ESHAPE, "A is 3 x 4, and a square matrix is needed");
    FAILS(RTspSolve(RT_LOWER, RT_PLAIN, a, short_one, x), RT_ESHAPE, "b is 3 x 1");
    FAILS(RTspSolve(RT_LOWER, RT_PLAIN, a, x, x), RT_EALIAS, "b is the result");
    FAILS(RTspSolve(RT_LOWER, RT_PLAIN, coo, x, y), RT_EFORMAT, "RTspConvert(A, RT_CSR) first");
    FAILS(RTspSolve((RTpart)0, RT_PLAIN, a, x, y), RT_EVALUE, "0 is no part");
    FAILS(RTspSolve(RT_LOWER, (RTuse)3, a, x, y), RT_EVALUE, "3 is neither");
    FAILS(RTspSolve(RT_LOWER, RT_PLAIN, s, x, y), RT_ETYPE, "b is RT_DOUBLE");
    FAILS(RTspMT(&q, NULL), RT_ENULL, "A is NULL");
    FAILS(RTdFromSparse(NULL, a), RT_ENULL, "out is NULL");
    FAILS(RTspFromDense(&q, RT_CSR, NULL), RT_ENULL, "A is NULL");
    FAILS(RTspILU0(&q, r), RT_ESHAPE, "a square matrix is needed");
    FAILS(RTspIC0(NULL, a), RT_ENULL, "out is NULL");
    CHECK(RTspRows(NULL) == -1 && RTspCols(NULL) == -1 && RTspCount(NULL) == -1 && RTspRowArray(NULL) == NULL);
    CHECK(RTspColArray(NULL) == NULL && RTspDData(s) == NULL && RTspSRead(a) == NULL);
    RTspFree(NULL);
    RTspFree(a), RTspFree(r), RTspFree(coo), RTspFree(s);
    RTdFree(x), RTdFree(y), RTdFree(short_one);
}

/* A 3 x 3 matrix by its elements; those that are nan have no entry. */
static RTsparse *three(const double *values)
{
    RTsparse *a;
    long row[9], col[9], n = 0;
    double value[9];
    for (long i = 0; i < 9; i++)
        if (!isnan(values[i])) row[n] = i / 3, col[n] = i % 3, value[n++] = values[i];
    DO(RTspEntries(&a, RT_DOUBLE, RT_CSR, 3, 3, n, row, col, value));
    return a;
}

static void pivots(void)
{
    const double zero[] = {2, 1, NAN, 1, 0, 1, NAN, 1, 2}, missing[] = {2, 1, NAN, 1, NAN, 1, NAN, 1, 2};
    const double cancels[] = {2, 1, NAN, 4, 2, 1, NAN, 1, 2}, indefinite[] = {2, 1, NAN, 1, -3, 1, NAN, 1, 2};
    const double uneven[] = {2, 1, NAN, 5, 4, 1, NAN, 1, 2};
    RTsparse *a, *q;
    RTdense *x = dense(RT_DOUBLE, 3, 1), *y = dense(RT_DOUBLE, 3, 1);
    a = three(zero);
    FAILS(RTspSolve(RT_LOWER, RT_PLAIN, a, x, y), RT_EPIVOT, "A is singular: row 1 (from 0) has a zero on the diagonal");
    DO(RTspSolve(RT_UNIT_LOWER, RT_PLAIN, a, x, y));
    FAILS(RTspIC0(&q, a), RT_EPIVOT, "the pivot of row 1 (from 0) is not positive");
    CHECK(q == NULL);
    DO(RTspILU0(&q, a)); /* the row before fills the place */
    RTspFree(q);
    /* Values that are written later are looked at again. */
    for (long p = 0; p < RTspCount(a); p++) RTspDData(a)[p] = 1;
    DO(RTspSolve(RT_LOWER, RT_PLAIN, a, x, y));
    RTspDData(a)[0] = 0;
    FAILS(RTspSolve(RT_UPPER, RT_TRANSPOSED, a, x, y), RT_EPIVOT, "row 0");
    RTspFree(a);
    a = three(missing);
    FAILS(RTspSolve(RT_UPPER, RT_PLAIN, a, x, y), RT_EPIVOT, "row 1 (from 0) has a zero on the diagonal");
    FAILS(RTspILU0(&q, a), RT_EPIVOT, "the pivot of row 1 (from 0) is zero or no number");
    FAILS(RTspIC0(&q, a), RT_EPIVOT, "row 1 (from 0) has no element on the diagonal");
    RTspFree(a);
    a = three(cancels);
    FAILS(RTspILU0(&q, a), RT_EPIVOT, "the pivot of row 1 (from 0)");
    RTspFree(a);
    a = three(indefinite);
    FAILS(RTspIC0(&q, a), RT_EPIVOT, "the pivot of row 1 (from 0) is not positive: A is not positive definite");
    RTspFree(a);
    a = three(uneven);
    FAILS(RTspIC0(&q, a), RT_EVALUE, "A is not symmetric: 1 at row 0, column 1 (from 0), 5 at its mirror");
    RTspFree(a);
    DO(RTspAlloc(&a, RT_DOUBLE, 3, 3));
    FAILS(RTspSolve(RT_LOWER, RT_PLAIN, a, x, y), RT_EPIVOT, "row 0");
    DO(RTspSolve(RT_UNIT_UPPER, RT_PLAIN, a, x, y));
    CHECK(RTdDRead(x)[1] == RTdDRead(y)[1]);
    RTspFree(a);
    RTdFree(x), RTdFree(y);
}

int main(void)
{
    CHECK(strcmp(RTlastError(), "") == 0);
    of_dense();
    of_sparse();
    pivots();
    CHECK(strcmp(RTerrorName(RT_OK), "RT_OK") == 0 && strcmp(RTerrorName(RT_ESHAPE), "RT_ESHAPE") == 0);
    CHECK(strcmp(RTerrorName(RT_EPIVOT), "RT_EPIVOT") == 0 && strcmp(RTerrorName(RT_EDEVICE), "RT_EDEVICE") == 0);
    CHECK(strstr(RTerrorName(99), "no code") != NULL);
    return 0;
}
