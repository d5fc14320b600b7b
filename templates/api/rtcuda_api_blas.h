/* Products of matrices by the system's BLAS. It is loaded by name when a product is first worth it: a program is built
 * without it, and runs without it by plain loops. By columns, as Fortran calls it: of a matrix by rows it sees the
 * transpose, so that C = A B is computed as C' = B' A'. */

#include <dlfcn.h>

typedef void blas_sgemm(const char *, const char *, const int *, const int *, const int *, const float *, const float *,
                        const int *, const float *, const int *, const float *, float *, const int *);
typedef void blas_dgemm(const char *, const char *, const int *, const int *, const int *, const double *,
                        const double *, const int *, const double *, const int *, const double *, double *, const int *);
typedef void blas_sgemv(const char *, const int *, const int *, const float *, const float *, const int *, const float *,
                        const int *, const float *, float *, const int *);
typedef void blas_dgemv(const char *, const int *, const int *, const double *, const double *, const int *,
                        const double *, const int *, const double *, double *, const int *);

static struct {
    int is_looked_for;
    const char *name; /* NULL where there is none */
    blas_sgemm *sgemm;
    blas_dgemm *dgemm;
    blas_sgemv *sgemv;
    blas_dgemv *dgemv;
} blas;

/* ISO C has no cast from an object's address to a function's. */
static int blas_symbol(void *library, const char *name, void *function)
{
    void *const found = dlsym(library, name);
    if (found) memcpy(function, &found, sizeof found);
    return found != NULL;
}

static int blas_open(const char *file)
{
    void *const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    if (blas_symbol(library, "sgemm_", &blas.sgemm) && blas_symbol(library, "dgemm_", &blas.dgemm) &&
        blas_symbol(library, "sgemv_", &blas.sgemv) && blas_symbol(library, "dgemv_", &blas.dgemv)) {
        blas.name = file;
        return 1;
    }
    dlclose(library);
    return 0;
}

static int blas_is_there(void)
{
    static const char *const files[] = {"libopenblas.so.0", "libblas.so.3", "libmkl_rt.so.2"};
    if (!blas.is_looked_for) {
        const char *named = getenv("RTCUDA_BLAS");
        blas.is_looked_for = 1;
        if (named && *named) {
            if (strcmp(named, "none") != 0) blas_open(named);
        } else {
            for (size_t i = 0; i < sizeof files / sizeof *files && !blas.name; i++) blas_open(files[i]);
        }
    }
    return blas.name != NULL;
}

/* Whether a product of that size is worth a library, and fits its sizes. */
static int blas_takes(long m, long n, long k)
{
    const double least = 64.0 * 64.0 * 64.0;
    return m <= INT_MAX && n <= INT_MAX && k <= INT_MAX && (double)m * (double)n * (double)k >= least && blas_is_there();
}

static void blas_product(RTtype type, long m, long n, long k, const void *a, const void *b, void *c)
{
    const int rows = (int)m, columns = (int)n, terms = (int)k;
    if (type == RT_SINGLE) {
        const float one = 1, zero = 0;
        blas.sgemm("N", "N", &columns, &rows, &terms, &one, b, &columns, a, &terms, &zero, c, &columns);
    } else {
        const double one = 1, zero = 0;
        blas.dgemm("N", "N", &columns, &rows, &terms, &one, b, &columns, a, &terms, &zero, c, &columns);
    }
}

static void blas_product_with_vector(RTtype type, long m, long n, const void *a, const void *x, void *y)
{
    const int rows = (int)m, columns = (int)n, step = 1;
    if (type == RT_SINGLE) {
        const float one = 1, zero = 0;
        blas.sgemv("T", &columns, &rows, &one, a, &columns, x, &step, &zero, y, &step);
    } else {
        const double one = 1, zero = 0;
        blas.dgemv("T", &columns, &rows, &one, a, &columns, x, &step, &zero, y, &step);
    }
}
