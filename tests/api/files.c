/* Matrix Market files: every form that is read, every fault with its line, and that what is written comes back. The
 * folder for files is the argument. */
#include <locale.h>

#include "check.h"

static char path[4096];

static const char *file(const char *text)
{
    FILE *out = fopen(path, "w");
    CHECK(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
    return path;
}

/* A file, as all elements of a 2 x 2 matrix, by both loaders. */
static void is_two(const char *text, double a, double b, double c, double d)
{
    const double expected[] = {a, b, c, d};
    RTsparse *s;
    RTdense *f;
    DO(RTspLoad(&s, RT_DOUBLE, RT_CSC, file(text)));
    double *x = full(s, RT_DOUBLE);
    CHECK(same(4, x, expected, 0));
    free(x);
    RTspFree(s);
    DO(RTdLoad(&f, RT_DOUBLE, path));
    CHECK(RTdRows(f) == 2 && RTdCols(f) == 2 && same(4, RTdDRead(f), expected, 0));
    RTdFree(f);
}

static void forms(void)
{
    is_two("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 2 -4e0\n1 2 2.5\n", 1, 2.5, 0, -4);
    is_two("%%matrixmarket MATRIX Coordinate REAL General\r\n% c\r\n\r\n2 2 1\r\n% d\r\n  2\t1  1.5D+01 \r\n\r\n", 0, 0, 15, 0);
    is_two("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 +7\n1 1 -12", -5, 0, 0, 0);
    is_two("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n", 1, 1, 1, 0);
    is_two("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n", 0, -3, 3, 0);
    is_two("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 2 3\n2 2 .5\n", 0, 3, 3, 0.5);
    is_two("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", 1, 3, 2, 4);
    is_two("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n", 1, 2, 2, 3);
    is_two("%%MatrixMarket matrix array real skew-symmetric\n2 2\n5\n", 0, -5, 5, 0);
    is_two("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.5-3\n2 2 0.1000000000000000055511151231257827\n", 0.0015, 0,
           0, 0.1);
    is_two("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e-320\n2 2 123456789012345678\n", 1e-320, 0, 0,
           123456789012345678.0);
    is_two("%%MatrixMarket matrix coordinate real general\n2 2 0\n", 0, 0, 0, 0);
}

static void is_fault(const char *text, const char *part)
{
    char expected[5000];
    RTsparse *s = NULL;
    RTdense *d = NULL;
    snprintf(expected, sizeof expected, "%s:%s", path, part);
    FAILS(RTspLoad(&s, RT_DOUBLE, RT_CSR, file(text)), RT_ESYNTAX, expected);
    FAILS(RTdLoad(&d, RT_DOUBLE, path), RT_ESYNTAX, expected);
    CHECK(s == NULL && d == NULL);
}

#define REAL "%%MatrixMarket matrix coordinate real general\n"

static void faults(void)
{
    is_fault("", "1: the file is empty");
    is_fault("1 2 3\n", "1: a Matrix Market file begins with `%%MatrixMarket");
    is_fault("%%MatrixMarket vector coordinate real general\n", "1: `vector` is no object");
    is_fault("%%MatrixMarket matrix list real general\n", "1: `list` is no format");
    is_fault("%%MatrixMarket matrix coordinate complex general\n", "1: complex matrices are not read");
    is_fault("%%MatrixMarket matrix coordinate quaternion general\n", "1: `quaternion` is no field");
    is_fault("%%MatrixMarket matrix array pattern general\n", "1: an array has values");
    is_fault("%%MatrixMarket matrix coordinate real hermitian\n", "1: `hermitian` is no symmetry");
    is_fault("%%MatrixMarket matrix coordinate real\n", "1: `` is no symmetry");
    is_fault("%%MatrixMarket matrix coordinate real general more\n", "1: `more` is more than the line should have");
    is_fault(REAL "% only this\n", "2: the file ends before the size");
    is_fault(REAL "2 2\n", "2: the number of entries is missing");
    is_fault(REAL "2 x 1\n", "2: the number of columns is expected, not `x`");
    is_fault(REAL "2 -2 1\n", "2: the number of columns is expected, not `-2`");
    is_fault(REAL "2 2 99999999999999999999\n", "2: the number of entries is 99999999999999999999, not between");
    is_fault(REAL "2 2 1 1\n", "2: `1` is more");
    is_fault(REAL "2 2 2\n\n1 1 1\n", "4: the file ends after 1 of 2 entries");
    is_fault(REAL "2 2 1\n1 1 1\n% c\n2 2 1\n", "5: there is more than the size of the matrix says");
    is_fault(REAL "2 2 1\n3 1 1\n", "3: the row is 3, not between 1 and 2");
    is_fault(REAL "2 2 1\n1 0 1\n", "3: the column is 0, not between 1 and 2");
    is_fault(REAL "2 2 1\n1.5 1 1\n", "3: the row is expected, not `1.5`");
    is_fault(REAL "2 2 1\n1\n", "3: the column is missing");
    is_fault(REAL "2 2 1\n1 1\n", "3: the value is missing");
    is_fault(REAL "2 2 1\n1 1 1 1\n", "3: `1` is more");
    is_fault(REAL "2 2 1\n1 1 one\n", "3: `one` is not a");
    is_fault(REAL "2 2 1\n1 1 1.5.5\n", "3: `1.5.5` is not a number");
    is_fault(REAL "2 2 1\n1 1 1e\n", "3: `1e` is not a number");
    is_fault(REAL "2 2 1\n1 1 nan\n", "3: `nan` is not a finite number");
    is_fault(REAL "2 2 1\n1 1 -inf\n", "3: `-inf` is not a finite number");
    is_fault(REAL "2 2 1\n1 1 0x10\n", "3: `0x10` is not a finite number");
    is_fault(REAL "2 2 1\n1 1 1e999\n", "3: `1e999` is beyond the range of doubles");
    char longest[800] = REAL "2 2 1\n1 1 0.1";
    while (strlen(longest) < sizeof longest - 4) strcat(longest, "0");
    is_fault(strcat(longest, "e5"), "3: `0.10000000000000000000000000000000000000...` is too long for a number");
    is_fault("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n", "3: `1.5` is not an integer");
    is_fault("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", "3: `1` is more");
    is_fault("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", "2: a 2 x 3 matrix cannot be symmetric");
    is_fault("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "3: a skew-symmetric matrix has no");
    is_fault("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", "5: the file ends before the element of row 2, column 2");
    is_fault("%%MatrixMarket matrix array real general\n2 2\n1\n2 3\n", "4: `3` is more");
    is_fault("%%MatrixMarket matrix array real general\n2000000000 2000000000\n1\n", "3: the file ends before the element of row 2");
    is_fault("\x1f\x8b\x08", "1: the file is compressed");
}

static void other_faults(void)
{
    RTsparse *s;
    RTdense *d;
    FAILS(RTspLoad(&s, RT_DOUBLE, RT_CSR, "/no/such/file.mtx"), RT_EFILE, "/no/such/file.mtx cannot be opened: No such");
    FAILS(RTdLoad(&d, RT_DOUBLE, "/"), RT_EFILE, "/ cannot be read: Is a directory");
    FAILS(RTspLoad(&s, RT_DOUBLE, RT_CSR, NULL), RT_ENULL, "path is NULL");
    FAILS(RTdLoad(NULL, RT_DOUBLE, path), RT_ENULL, "out is NULL");
    FAILS(RTspLoad(&s, RT_SINGLE, RT_CSR, file(REAL "1 1 1\n1 1 1e300\n")), RT_EVALUE, "is no finite float");
    FAILS(RTspLoad(&s, RT_DOUBLE, RT_CSR, file(REAL "1 1 2\n1 1 1e308\n1 1 1e308\n")), RT_EVALUE, "is no finite double");
    FAILS(RTdLoad(&d, RT_DOUBLE, path), RT_EVALUE, "is no finite double");
    FILE *out = fopen(path, "w");
    CHECK(out && fwrite(REAL "2 2 1\n1 1\0 5\n", 1, sizeof(REAL "2 2 1\n1 1\0 5\n") - 1, out) && fclose(out) == 0);
    FAILS(RTspLoad(&s, RT_DOUBLE, RT_CSR, path), RT_ESYNTAX, ":3: a byte is zero");
    DO(RTdAlloc(&d, RT_DOUBLE, 1, 1));
    FAILS(RTdSave(d, "/no/such/file.mtx"), RT_EFILE, "cannot be opened");
    FAILS(RTdSave(d, NULL), RT_ENULL, "path is NULL");
    FAILS(RTdSave(NULL, path), RT_ENULL, "A is NULL");
    FAILS(RTspSave(NULL, path), RT_ENULL, "A is NULL");
    out = fopen("/dev/full", "w");
    if (out && fclose(out) == 0) FAILS(RTdSave(d, "/dev/full"), RT_EFILE, "/dev/full cannot be written");
    RTdFree(d);
}

static void there_and_back(RTtype type)
{
    const RTformat formats[] = {RT_COO, RT_CSR, RT_CSC};
    RTdense *d, *e;
    DO(RTdRandom(&d, type, 70, 150, 3)); /* more than the file is read at once */
    DO(RTdSave(d, path));
    DO(RTdLoad(&e, type, path));
    double *x = full_dense(d, type), *y = full_dense(e, type);
    CHECK(same(70 * 150, x, y, 0));
    free(x), free(y);
    RTdFree(d), RTdFree(e);
    for (int f = 0; f < 3; f++) {
        RTsparse *a, *b;
        DO(RTspRandom(&a, type, formats[f], 17, 9, 0.3, 4));
        DO(RTspSave(a, path));
        DO(RTspLoad(&b, type, RT_CSR, path));
        x = full(a, type), y = full(b, type);
        CHECK(same(17 * 9, x, y, 0) && RTspCount(a) == RTspCount(b));
        free(x), free(y);
        RTspFree(a), RTspFree(b);
    }
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    snprintf(path, sizeof path, "%s/m.mtx", argv[1]);
    forms();
    faults();
    other_faults();
    there_and_back(RT_SINGLE);
    there_and_back(RT_DOUBLE);
    /* Numbers are those of the file in any locale; one with a comma, where the machine has it. */
    if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8")) forms(), there_and_back(RT_DOUBLE);
    remove(path);
    return 0;
}
