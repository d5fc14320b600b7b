// How cuBLAS is called: for a matrix by rows and by columns, each side, triangle and diagonal, against the plain kernels.
// The library is one of this file's own, which computes by columns what cuBLAS's documentation says of its functions.
#include <dlfcn.h>

#include "rt_triangle.h"
#include "rt_vectors.h"

using cudaStream_t = void *;
static int cudaMalloc(void **place, const size_t bytes)
{
    *place = malloc(bytes);
    return 0;
}
namespace rt {
static cudaStream_t launch_stream;
static long n_launched;
static void check_cuda(const place &, int, const char *, const char *) {}
} // namespace rt

namespace by_columns {

typedef const double *in;
static bool in_triangle(const int uplo, const long i, const long j) { return uplo == 0 ? i >= j : i <= j; }
static double at(in a, const long lda, const int transposed, const long i, const long j)
{
    return transposed ? a[j + i * lda] : a[i + j * lda];
}
// A triangular matrix: what is not of its triangle is zero.
static double triangular(in a, const long lda, const int uplo, const int transposed, const int ones, long i, long j)
{
    if (transposed) {
        const long k = i;
        i = j, j = k;
    }
    if (!in_triangle(uplo, i, j)) return 0;
    return i == j && ones ? 1 : a[i + j * lda];
}
static double symmetric(in a, const long lda, const int uplo, const long i, const long j)
{
    return in_triangle(uplo, i, j) ? a[i + j * lda] : a[j + i * lda];
}

static int create(void **handle) { return *handle = malloc(1), 0; }
static int set_stream(void *, void *) { return 0; }
static int set_mode(void *, int) { return 0; }
static int gemm(void *) { return 1; }
static int syrk(void *, int uplo, int form, long n, long k, in alpha, in a, long lda, in beta, double *c, long ldc)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            if (!in_triangle(uplo, i, j)) continue;
            double sum = 0;
            for (long l = 0; l < k; l++) sum += at(a, lda, form, i, l) * at(a, lda, form, j, l);
            c[i + j * ldc] = *alpha * sum + *beta * c[i + j * ldc];
        }
    return 0;
}
static int syr2k(void *, int uplo, int form, long n, long k, in alpha, in a, long lda, in b, long ldb, in beta, double *c,
                 long ldc)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            if (!in_triangle(uplo, i, j)) continue;
            double sum = 0;
            for (long l = 0; l < k; l++)
                sum += at(a, lda, form, i, l) * at(b, ldb, form, j, l) + at(b, ldb, form, i, l) * at(a, lda, form, j, l);
            c[i + j * ldc] = *alpha * sum + *beta * c[i + j * ldc];
        }
    return 0;
}
static int symm(void *, int side, int uplo, long m, long n, in alpha, in a, long lda, in b, long ldb, in beta, double *c,
                long ldc)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0;
            if (side == 0)
                for (long l = 0; l < m; l++) sum += symmetric(a, lda, uplo, i, l) * b[l + j * ldb];
            else
                for (long l = 0; l < n; l++) sum += b[i + l * ldb] * symmetric(a, lda, uplo, l, j);
            c[i + j * ldc] = *alpha * sum + *beta * c[i + j * ldc];
        }
    return 0;
}
static int trmm(void *, int side, int uplo, int form, int ones, long m, long n, in alpha, in a, long lda, in b, long ldb,
                double *c, long ldc)
{
    rt::list<double> out;
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) {
            double sum = 0;
            if (side == 0)
                for (long l = 0; l < m; l++) sum += triangular(a, lda, uplo, form, ones, i, l) * b[l + j * ldb];
            else
                for (long l = 0; l < n; l++) sum += b[i + l * ldb] * triangular(a, lda, uplo, form, ones, l, j);
            out.push_back(*alpha * sum);
        }
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) c[i + j * ldc] = out[i + j * m];
    return 0;
}
// By as many steps as there are rows, each of which has the next of them right.
static int trsm(void *, int side, int uplo, int form, int ones, long m, long n, in alpha, in a, long lda, double *b, long ldb)
{
    rt::list<double> x, right;
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) right.push_back(*alpha * b[i + j * ldb]);
    x.assign(m * n, 0.0);
    const long size = side == 0 ? m : n;
    for (long step = 0; step < size; step++)
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                double sum = right[i + j * m];
                for (long l = 0; l < size; l++) {
                    if (l == (side == 0 ? i : j)) continue;
                    sum -= side == 0 ? triangular(a, lda, uplo, form, ones, i, l) * x[l + j * m]
                                     : x[i + l * m] * triangular(a, lda, uplo, form, ones, l, j);
                }
                const long d = side == 0 ? i : j;
                x[i + j * m] = sum / triangular(a, lda, uplo, form, ones, d, d);
            }
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) b[i + j * ldb] = x[i + j * m];
    return 0;
}
static int trsv(void *handle, int uplo, int form, int ones, long n, in a, long lda, double *x, long step)
{
    rt::list<double> b;
    for (long i = 0; i < n; i++) b.push_back(x[i * step]);
    const double one = 1;
    trsm(handle, 0, uplo, form, ones, n, 1, &one, a, lda, b.begin(), n);
    for (long i = 0; i < n; i++) x[i * step] = b[i];
    return 0;
}
static int geam(void *, int of_a, int of_b, long m, long n, in alpha, in a, long lda, in beta, in b, long ldb, double *c,
                long ldc)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            c[i + j * ldc] = *alpha * at(a, lda, of_a, i, j) + (*beta == 0 ? 0 : *beta * at(b, ldb, of_b, i, j));
    return 0;
}
static int ger(void *, long m, long n, in alpha, in x, long x_step, in y, long y_step, double *a, long lda)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) a[i + j * lda] += *alpha * x[i * x_step] * y[j * y_step];
    return 0;
}
static int axpy(void *, long n, in alpha, in x, long x_step, double *y, long y_step)
{
    for (long i = 0; i < n; i++) y[i * y_step] += *alpha * x[i * x_step];
    return 0;
}
static int scal(void *, long n, in alpha, double *x, long step)
{
    for (long i = 0; i < n; i++) x[i * step] *= *alpha;
    return 0;
}
static int copy(void *, long n, in x, long x_step, double *y, long y_step)
{
    for (long i = 0; i < n; i++) y[i * y_step] = x[i * x_step];
    return 0;
}
static int swap(void *, long n, double *x, long x_step, double *y, long y_step)
{
    for (long i = 0; i < n; i++) {
        const double kept = x[i * x_step];
        x[i * x_step] = y[i * y_step], y[i * y_step] = kept;
    }
    return 0;
}
static int dot(void *, long n, in x, long x_step, in y, long y_step, double *sum)
{
    *sum = 0;
    for (long i = 0; i < n; i++) *sum += x[i * x_step] * y[i * y_step];
    return 0;
}
static int asum(void *, long n, in x, long step, double *sum)
{
    *sum = 0;
    for (long i = 0; i < n; i++) *sum += fabs(x[i * step]);
    return 0;
}

static void *function(const char *name)
{
    const struct {
        const char *name;
        void *function;
    } all[] = {{"cublasCreate_v2", (void *)create},
               {"cublasSetStream_v2", (void *)set_stream},
               {"cublasSetPointerMode_v2", (void *)set_mode},
               {"cublasDgemm_v2_64", (void *)gemm},
               {"cublasDsyrk_v2_64", (void *)syrk},
               {"cublasDsyr2k_v2_64", (void *)syr2k},
               {"cublasDsymm_v2_64", (void *)symm},
               {"cublasDtrmm_v2_64", (void *)trmm},
               {"cublasDtrsm_v2_64", (void *)trsm},
               {"cublasDtrsv_v2_64", (void *)trsv},
               {"cublasDgeam_64", (void *)geam},
               {"cublasDger_v2_64", (void *)ger},
               {"cublasDaxpy_v2_64", (void *)axpy},
               {"cublasDscal_v2_64", (void *)scal},
               {"cublasDcopy_v2_64", (void *)copy},
               {"cublasDswap_v2_64", (void *)swap},
               {"cublasDdot_v2_64", (void *)dot},
               {"cublasDasum_v2_64", (void *)asum}};
    for (const auto &x : all)
        if (strcmp(x.name, name) == 0) return x.function;
    printf("no function %s\n", name);
    exit(1);
}

} // namespace by_columns

#define dlopen(file, how) ((void)(file), (void *)1)
#define dlsym(library, name) by_columns::function(name)
#include "rt_cublas.h"

#include "rt_cublas_triangle.h"
#include "rt_cublas_vectors.h"

static int n_wrong, n_right;

// Three arrays, twice: for the plain kernels and for the library.
struct arrays {
    static constexpr long n = 400;
    rt::list<double> host[3];
    rt::array<double> a, b, c;
    explicit arrays(rt::region &rt)
        : a(rt, "a", filled(0), n), b(rt, "b", filled(1), n), c(rt, "c", filled(2), n)
    {
        a.copy_in(0, n), b.copy_in(0, n), c.copy_in(0, n);
    }
    const double *filled(const int k)
    {
        for (long i = 0; i < n; i++) host[k].push_back(0.25 + (i * (37 + k) + 11 * k) % 23 * 0.125);
        return host[k].begin();
    }
    void back() { b.copy_out(0, n), c.copy_out(0, n); }
};

// Whether both leave the same in b and c.
template <class F, class G> static void compare(const char *what, const F &plain, const G &library)
{
    rt::region rt("cublas", "cublas.cu", 1);
    arrays x(rt), y(rt);
    plain(rt, x);
    const bool is_done = library(rt, y);
    x.back(), y.back();
    bool same = is_done;
    for (int k = 1; k < 3; k++)
        for (long i = 0; i < arrays::n; i++)
            same = same && fabs(x.host[k][i] - y.host[k][i]) <= 1e-9 * (1 + fabs(x.host[k][i]));
    same ? n_right++ : n_wrong++;
    if (!same) printf("wrong: %s\n", what);
    rt.done();
}

static rt::matrix<double> by(rt::array<double> &a, const bool rows, const long distance)
{
    return a.matrix(3, rows ? distance : 1, rows ? 1 : distance);
}

static void triangles(const bool rows_a, const bool rows_b, const bool rows_c)
{
    using namespace rt;
    const long n = 7, m = 5, ld = 11;
    const triangle_size size{n, m};
    compare("syrk", [&](region &rt, arrays &x) { syrk(rt, 1, size, 1.5, by(x.a, rows_a, ld), kept(0.5), by(x.c, rows_c, ld)); },
            [&](region &rt, arrays &x) {
                const auto a = by(x.a, rows_a, ld);
                return rank_update_by_cublas(rt, 1, size, false, 1.5, a, a, false, 0.5, by(x.c, rows_c, ld));
            });
    for (const bool lower : {false, true})
        for (const bool ones : {false, true}) {
            compare("trmm", [&](region &rt, arrays &x) { trmm(rt, 1, size, lower, ones, 1.5, by(x.a, rows_a, ld), by(x.b, rows_b, ld)); },
                    [&](region &rt, arrays &x) { return trmm_by_cublas(rt, 1, size, lower, ones, 1.5, by(x.a, rows_a, ld), by(x.b, rows_b, ld)); });
            const auto solve = [&](region &rt, arrays &x) { trsm(rt, 1, size, lower, ones, 1, by(x.a, rows_a, ld), by(x.b, rows_b, ld), by(x.b, rows_b, ld)); };
            compare("trsm", solve, [&](region &rt, arrays &x) { return trsm_by_cublas(rt, 1, size, lower, ones, by(x.a, rows_a, ld), by(x.b, rows_b, ld)); });
            const triangle_size one{n, 1};
            const auto vector = [&](arrays &x) { return x.b.matrix(2, 3, 0); };
            compare("trsv", [&](region &rt, arrays &x) { trsm(rt, 1, one, lower, ones, 1, by(x.a, rows_a, ld), vector(x), vector(x)); },
                    [&](region &rt, arrays &x) { return trsm_by_cublas(rt, 1, one, lower, ones, by(x.a, rows_a, ld), vector(x)); });
        }
    if (rows_a == rows_b)
        compare("syr2k", [&](region &rt, arrays &x) { syr2k(rt, 1, size, 1.5, by(x.a, rows_a, ld), by(x.b, rows_b, ld), nothing_kept(), by(x.c, rows_c, ld)); },
                [&](region &rt, arrays &x) { return rank_update_by_cublas(rt, 1, size, true, 1.5, by(x.a, rows_a, ld), by(x.b, rows_b, ld), true, 0.0, by(x.c, rows_c, ld)); });
    if (rows_b == rows_c)
        compare("symm", [&](region &rt, arrays &x) { symm(rt, 1, size, 1.5, by(x.a, rows_a, ld), by(x.b, rows_b, ld), kept(0.5), by(x.c, rows_c, ld)); },
                [&](region &rt, arrays &x) { return symm_by_cublas(rt, 1, size, 1.5, by(x.a, rows_a, ld), by(x.b, rows_b, ld), false, 0.5, by(x.c, rows_c, ld)); });
}

static void matrices(const bool rows_a, const bool rows_b, const bool rows_c)
{
    using namespace rt;
    const long ld = 11;
    const vector_size size{7, 5};
    compare("geam", [&](region &rt, arrays &x) { geam(rt, 1, size, 1.5, by(x.a, rows_a, ld), -0.5, by(x.b, rows_b, ld), by(x.c, rows_c, ld)); },
            [&](region &rt, arrays &x) { return geam_by_cublas(rt, 1, size, 1.5, by(x.a, rows_a, ld), false, -0.5, by(x.b, rows_b, ld), by(x.c, rows_c, ld)); });
    compare("transposed", [&](region &rt, arrays &x) { geam(rt, 1, size, 1.5, by(x.a, rows_a, ld), by(x.c, rows_c, ld)); },
            [&](region &rt, arrays &x) {
                const auto c = by(x.c, rows_c, ld);
                return geam_by_cublas(rt, 1, size, 1.5, by(x.a, rows_a, ld), true, 0.0, c, c);
            });
    compare("ger", [&](region &rt, arrays &x) { ger(rt, 1, size, 1.5, x.a.matrix(1, 2, 0), x.b.matrix(2, 3, 0), by(x.c, rows_c, ld)); },
            [&](region &rt, arrays &x) { return ger_by_cublas(rt, 1, size, 1.5, x.a.matrix(1, 2, 0), x.b.matrix(2, 3, 0), by(x.c, rows_c, ld)); });
}

static void vectors()
{
    using namespace rt;
    const vector_size n{17};
    const auto x_of = [](arrays &x) { return x.a.matrix(1, 2, 0); };
    const auto y_of = [](arrays &x) { return x.b.matrix(4, 3, 0); };
    const auto sum_of = [](arrays &x) { return x.c.matrix(5, 0, 0); };
    compare("axpy", [&](region &rt, arrays &x) { axpy(rt, 1, n, 1.5, x_of(x), y_of(x)); },
            [&](region &rt, arrays &x) { return axpy_by_cublas(rt, 1, n, 1.5, x_of(x), y_of(x)); });
    compare("scal", [&](region &rt, arrays &x) { scal(rt, 1, n, 1.5, y_of(x)); },
            [&](region &rt, arrays &x) { return scal_by_cublas(rt, 1, n, 1.5, y_of(x)); });
    compare("copy", [&](region &rt, arrays &x) { copied(rt, 1, n, x_of(x), y_of(x)); },
            [&](region &rt, arrays &x) { return copied_by_cublas(rt, 1, n, x_of(x), y_of(x)); });
    compare("swap", [&](region &rt, arrays &x) { swapped(rt, 1, n, y_of(x), x.c.matrix(0, 1, 0)); },
            [&](region &rt, arrays &x) { return swapped_by_cublas(rt, 1, n, y_of(x), x.c.matrix(0, 1, 0)); });
    for (const bool absolute : {false, true})
        compare("dot", [&](region &rt, arrays &x) { summed(rt, 1, n, absolute, 1.5, x_of(x), y_of(x), sum_of(x)); },
                [&](region &rt, arrays &x) {
                    const bool is_done = summed_by_cublas(rt, 1, n, absolute, 1.5, x_of(x), y_of(x), sum_of(x));
                    return is_done;
                });
}

int main(void)
{
    for (int forms = 0; forms < 8; forms++) {
        triangles(forms & 1, forms & 2, forms & 4);
        matrices(forms & 1, forms & 2, forms & 4);
    }
    vectors();
    printf("%d right, %d wrong\n", n_right, n_wrong);
    return n_wrong != 0;
}
