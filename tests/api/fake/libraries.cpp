/* cuBLAS and cuSPARSE of the device that is not there: what rtcuda_api.cu loads by name, by naive loops, with the
 * libraries' own conventions (matrices by columns, descriptors, workspaces, steps in their order). */
#include "device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

namespace {

char the_cublas, the_cusparse; /* handles */

[[noreturn]] void misuse(const char *call, const char *what)
{
    fprintf(stderr, "device: %s: %s\n", call, what);
    abort();
}

void require(const bool holds, const char *call, const char *what)
{
    if (!holds) misuse(call, what);
}

/* An element of op(a), by columns. */
template <class T> T at(const T *a, const int op, const long i, const long j, const long ld)
{
    return op ? a[j + i * ld] : a[i + j * ld];
}

template <class T>
int gemm(const char *call, void *h, int opa, int opb, long m, long n, long k, const T *alpha, const T *a, long lda,
         const T *b, long ldb, const T *beta, T *c, long ldc)
{
    if (fake_fails(call)) return 13;
    require(h == &the_cublas, call, "no handle");
    require(lda >= (opa ? k : m) && ldb >= (opb ? n : k) && ldc >= m, call, "a leading dimension is too small");
    fake_require_device(a, sizeof(T) * lda * (opa ? m : k), call);
    fake_require_device(b, sizeof(T) * ldb * (opb ? k : n), call);
    fake_require_device(c, sizeof(T) * ldc * n, call);
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long p = 0; p < k; p++) sum += (double)at(a, opa, i, p, lda) * (double)at(b, opb, p, j, ldb);
            c[i + j * ldc] = (T)(*alpha * sum + (*beta == 0 ? 0 : *beta * c[i + j * ldc]));
        }
    return 0;
}

template <class T>
int gemv(const char *call, void *h, int op, long m, long n, const T *alpha, const T *a, long lda, const T *x, long step,
         const T *beta, T *y, long y_step)
{
    require(step == 1 && y_step == 1, call, "a step");
    return gemm(call, h, op, 0, op ? n : m, 1, op ? m : n, alpha, a, lda, x, op ? m : n, beta, y, op ? n : m);
}

template <class T>
int geam(const char *call, void *h, int opa, int opb, long m, long n, const T *alpha, const T *a, long lda, const T *beta,
         const T *b, long ldb, T *c, long ldc)
{
    if (fake_fails(call)) return 13;
    require(h == &the_cublas, call, "no handle");
    require(lda >= (opa ? n : m) && ldb >= (opb ? n : m) && ldc >= m, call, "a leading dimension is too small");
    require((c != a || (lda == ldc && !opa)) && (c != b || (ldb == ldc && !opb)), call, "not in place");
    fake_require_device(a, sizeof(T) * lda * (opa ? m : n), call);
    fake_require_device(b, sizeof(T) * ldb * (opb ? m : n), call);
    fake_require_device(c, sizeof(T) * ldc * n, call);
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            c[i + j * ldc] = (*alpha == 0 ? 0 : *alpha * at(a, opa, i, j, lda)) + (*beta == 0 ? 0 : *beta * at(b, opb, i, j, ldb));
    return 0;
}

template <class T> int dot(const char *call, void *h, long n, const T *x, long, const T *y, long, T *result)
{
    if (fake_fails(call)) return 13;
    require(h == &the_cublas, call, "no handle");
    fake_require_device(x, sizeof(T) * n, call);
    fake_require_device(y, sizeof(T) * n, call);
    double sum = 0;
    for (long i = 0; i < n; i++) sum += (double)x[i] * (double)y[i];
    *result = (T)sum;
    return 0;
}

template <class T> int nrm2(const char *call, void *h, long n, const T *x, long, T *result)
{
    if (fake_fails(call)) return 13;
    require(h == &the_cublas, call, "no handle");
    fake_require_device(x, sizeof(T) * n, call);
    double root = 0;
    for (long i = 0; i < n; i++) root = hypot(root, (double)x[i]);
    *result = (T)root;
    return 0;
}

template <class T> int axpy(const char *call, void *h, long n, const T *alpha, const T *x, long, T *y, long)
{
    if (fake_fails(call)) return 13;
    require(h == &the_cublas, call, "no handle");
    fake_require_device(y, sizeof(T) * n, call);
    if (x) fake_require_device(x, sizeof(T) * n, call);
    for (long i = 0; i < n; i++) y[i] = x ? y[i] + *alpha * x[i] : *alpha * y[i];
    return 0;
}

/* Descriptors of cuSPARSE. */
struct matrix {
    char format; /* 'r' by rows, 'c' by columns, 'e' by entries, 'v' a vector, 'd' dense */
    int type;
    long rows, cols, count, ld;
    int *row, *col;
    void *values;
    int fill = 0, diagonal = 0;
};

double value(const matrix &m, const long p)
{
    return m.type ? ((const double *)m.values)[p] : (double)((const float *)m.values)[p];
}

void put(const matrix &m, const long p, const double v)
{
    if (m.type) ((double *)m.values)[p] = v;
    else ((float *)m.values)[p] = (float)v;
}

size_t size(const matrix &m)
{
    return m.type ? sizeof(double) : sizeof(float);
}

int make(const char *call, void **out, const matrix &m)
{
    if (fake_fails(call)) return 3;
    const bool is_filled = m.count > 0;
    if (m.format == 'r') fake_require_device(m.row, (m.rows + 1) * sizeof(int), call);
    if (m.format == 'c') fake_require_device(m.col, (m.cols + 1) * sizeof(int), call);
    if (strchr("re", m.format) && is_filled) fake_require_device(m.col, m.count * sizeof(int), call);
    if (strchr("ce", m.format) && is_filled) fake_require_device(m.row, m.count * sizeof(int), call);
    if (is_filled) fake_require_device(m.values, m.count * size(m), call);
    fake_made("descriptors", 1);
    *out = new matrix(m);
    return 0;
}

int unmake(const char *call, void *m)
{
    if (fake_fails(call)) return 3;
    fake_made("descriptors", -1);
    delete (matrix *)m;
    return 0;
}

/* Calls f(row, column, value) for each entry. */
template <class F> void each(const matrix &m, const F &f)
{
    for (long p = 0; m.format == 'e' && p < m.count; p++) f(m.row[p], m.col[p], value(m, p));
    for (long i = 0; m.format == 'r' && i < m.rows; i++)
        for (int p = m.row[i]; p < m.row[i + 1]; p++) f(i, m.col[p], value(m, p));
    for (long j = 0; m.format == 'c' && j < m.cols; j++)
        for (int p = m.col[j]; p < m.col[j + 1]; p++) f(m.row[p], j, value(m, p));
}

void multiply(const char *call, const matrix &a, const matrix &b, const matrix &c, const long n)
{
    const long rows = c.format == 'd' ? c.rows : c.count;
    require(b.format == c.format && a.type == b.type && b.type == c.type, call, "types");
    require(rows == a.rows && (b.format == 'd' ? b.rows : b.count) == a.cols, call, "shapes");
    std::vector<double> sums((size_t)(a.rows * n));
    each(a, [&](const long i, const long j, const double v) {
        for (long q = 0; q < n; q++) sums[(size_t)(i * n + q)] += v * value(b, j * n + q);
    });
    for (long p = 0; p < a.rows * n; p++) put(c, p, sums[(size_t)p]);
}

/* The workspace that a preparation or an analysis was made with, and the values it saw. */
struct analysis {
    void *workspace = nullptr;
    std::vector<double> values;
    std::vector<std::vector<std::pair<int, double>>> rows; /* of a product of sparse matrices */
    int steps = 0;
};

const size_t workspace_bytes = 48;

} // namespace

extern "C" {

int cublasCreate_v2(void **h)
{
    if (fake_fails("cublasCreate")) return 1;
    *h = &the_cublas;
    return 0;
}
const char *cublasGetStatusString(int) { return "a fault of cuBLAS"; }

#define GEMM(T, name)                                                                                                       \
    int name(void *h, int oa, int ob, long m, long n, long k, const T *al, const T *a, long la, const T *b, long lb,        \
             const T *be, T *c, long lc)                                                                                    \
    {                                                                                                                       \
        return gemm("cublasGemm", h, oa, ob, m, n, k, al, a, la, b, lb, be, c, lc);                                         \
    }
GEMM(float, cublasSgemm_v2_64)
GEMM(double, cublasDgemm_v2_64)
#define GEMV(T, name)                                                                                                       \
    int name(void *h, int o, long m, long n, const T *al, const T *a, long la, const T *x, long sx, const T *be, T *y,      \
             long sy)                                                                                                       \
    {                                                                                                                       \
        return gemv("cublasGemv", h, o, m, n, al, a, la, x, sx, be, y, sy);                                                 \
    }
GEMV(float, cublasSgemv_v2_64)
GEMV(double, cublasDgemv_v2_64)
#define GEAM(T, name)                                                                                                       \
    int name(void *h, int oa, int ob, long m, long n, const T *al, const T *a, long la, const T *be, const T *b, long lb,   \
             T *c, long lc)                                                                                                 \
    {                                                                                                                       \
        return geam("cublasGeam", h, oa, ob, m, n, al, a, la, be, b, lb, c, lc);                                            \
    }
GEAM(float, cublasSgeam_64)
GEAM(double, cublasDgeam_64)
int cublasSdot_v2_64(void *h, long n, const float *x, long a, const float *y, long b, float *r) { return dot("cublasDot", h, n, x, a, y, b, r); }
int cublasDdot_v2_64(void *h, long n, const double *x, long a, const double *y, long b, double *r) { return dot("cublasDot", h, n, x, a, y, b, r); }
int cublasSnrm2_v2_64(void *h, long n, const float *x, long a, float *r) { return nrm2("cublasNrm2", h, n, x, a, r); }
int cublasDnrm2_v2_64(void *h, long n, const double *x, long a, double *r) { return nrm2("cublasNrm2", h, n, x, a, r); }
int cublasSscal_v2_64(void *h, long n, const float *f, float *x, long a) { return axpy<float>("cublasScal", h, n, f, nullptr, a, x, a); }
int cublasDscal_v2_64(void *h, long n, const double *f, double *x, long a) { return axpy<double>("cublasScal", h, n, f, nullptr, a, x, a); }
int cublasSaxpy_v2_64(void *h, long n, const float *f, const float *x, long a, float *y, long b) { return axpy("cublasAxpy", h, n, f, x, a, y, b); }
int cublasDaxpy_v2_64(void *h, long n, const double *f, const double *x, long a, double *y, long b) { return axpy("cublasAxpy", h, n, f, x, a, y, b); }

int cusparseCreate(void **h)
{
    if (fake_fails("cusparseCreate")) return 1;
    *h = &the_cusparse;
    return 0;
}
const char *cusparseGetErrorString(int) { return "a fault of cuSPARSE"; }

int cusparseCreateCsr(void **out, long rows, long cols, long count, int *row, int *col, void *values, int a, int b, int base, int type)
{
    require(a == 2 && b == 2 && base == 0, "cusparseCreateCsr", "types of indices");
    return make("cusparseCreateCsr", out, {'r', type, rows, cols, count, 0, row, col, values});
}
int cusparseCreateCsc(void **out, long rows, long cols, long count, int *col, int *row, void *values, int a, int b, int base, int type)
{
    require(a == 2 && b == 2 && base == 0, "cusparseCreateCsc", "types of indices");
    return make("cusparseCreateCsc", out, {'c', type, rows, cols, count, 0, row, col, values});
}
int cusparseCreateCoo(void **out, long rows, long cols, long count, int *row, int *col, void *values, int a, int base, int type)
{
    require(a == 2 && base == 0, "cusparseCreateCoo", "types of indices");
    return make("cusparseCreateCoo", out, {'e', type, rows, cols, count, 0, row, col, values});
}
int cusparseCreateDnVec(void **out, long n, void *values, int type)
{
    return make("cusparseCreateDnVec", out, {'v', type, 0, 0, n, 0, nullptr, nullptr, values});
}
int cusparseCreateDnMat(void **out, long rows, long cols, long ld, void *values, int type, int order)
{
    require(order == 2 && ld == cols, "cusparseCreateDnMat", "the order");
    return make("cusparseCreateDnMat", out, {'d', type, rows, cols, rows * cols, ld, nullptr, nullptr, values});
}
int cusparseDestroySpMat(void *m) { return unmake("cusparseDestroySpMat", m); }
int cusparseDestroyDnVec(void *m) { return unmake("cusparseDestroyDnVec", m); }
int cusparseDestroyDnMat(void *m) { return unmake("cusparseDestroyDnMat", m); }
int cusparseSpMatSetAttribute(matrix *m, int attribute, const int *value, size_t bytes)
{
    require(bytes == sizeof(int), "cusparseSpMatSetAttribute", "bytes");
    (attribute ? m->diagonal : m->fill) = *value;
    return 0;
}
int cusparseCsrSetPointers(matrix *m, int *row, int *col, void *values)
{
    m->row = row, m->col = col, m->values = values;
    return 0;
}
int cusparseSpMatGetSize(const matrix *m, long *rows, long *cols, long *count)
{
    *rows = m->rows, *cols = m->cols, *count = m->count;
    return 0;
}

int cusparseSpMV_bufferSize(void *, int, const void *, matrix *, matrix *, const void *, matrix *, int, int, size_t *bytes)
{
    *bytes = workspace_bytes;
    return fake_fails("cusparseSpMV_bufferSize") ? 3 : 0;
}
int cusparseSpMV_preprocess(void *h, int, const void *, matrix *a, matrix *, const void *, matrix *, int, int, void *workspace)
{
    if (fake_fails("cusparseSpMV_preprocess")) return 6;
    require(h == &the_cusparse && a->format == 'r', "cusparseSpMV_preprocess", "handle or format");
    fake_require_device(workspace, workspace_bytes, "cusparseSpMV_preprocess");
    memcpy(workspace, &a, sizeof a); /* it is of this matrix */
    return 0;
}
int cusparseSpMV(void *h, int op, const void *, matrix *a, matrix *x, const void *, matrix *y, int type, int, void *workspace)
{
    if (fake_fails("cusparseSpMV")) return 6;
    fake_require_device(workspace, workspace_bytes, "cusparseSpMV");
    require(h == &the_cusparse && op == 0 && type == a->type && x->format == 'v', "cusparseSpMV", "handle or types");
    require(a->format != 'r' || memcmp(workspace, &a, sizeof a) == 0, "cusparseSpMV", "the workspace is another matrix's");
    multiply("cusparseSpMV", *a, *x, *y, 1);
    return 0;
}
int cusparseSpMM_bufferSize(void *, int, int, const void *, matrix *, matrix *, const void *, matrix *, int, int, size_t *bytes)
{
    *bytes = workspace_bytes;
    return fake_fails("cusparseSpMM_bufferSize") ? 3 : 0;
}
int cusparseSpMM(void *h, int oa, int ob, const void *, matrix *a, matrix *b, const void *, matrix *c, int type, int, void *workspace)
{
    if (fake_fails("cusparseSpMM")) return 6;
    fake_require_device(workspace, workspace_bytes, "cusparseSpMM");
    require(h == &the_cusparse && !oa && !ob && type == a->type && b->format == 'd', "cusparseSpMM", "handle or types");
    require(b->cols == c->cols, "cusparseSpMM", "shapes");
    multiply("cusparseSpMM", *a, *b, *c, c->cols);
    return 0;
}

int cusparseSpSV_createDescr(void **out)
{
    if (fake_fails("cusparseSpSV_createDescr")) return 3;
    fake_made("analyses", 1);
    *out = new analysis;
    return 0;
}
int cusparseSpSV_destroyDescr(void *a)
{
    fake_made("analyses", -1);
    delete (analysis *)a;
    return 0;
}
int cusparseSpSV_bufferSize(void *, int, const void *, matrix *, matrix *, matrix *, int, int, void *, size_t *bytes)
{
    *bytes = workspace_bytes;
    return 0;
}
int cusparseSpSV_analysis(void *h, int, const void *, matrix *a, matrix *, matrix *, int, int, analysis *of, void *workspace)
{
    if (fake_fails("cusparseSpSV_analysis")) return 6;
    require(h == &the_cusparse && a->format == 'r', "cusparseSpSV_analysis", "handle or format");
    fake_require_device(workspace, workspace_bytes, "cusparseSpSV_analysis");
    of->workspace = workspace;
    for (long p = 0; p < a->count; p++) of->values.push_back(value(*a, p));
    return 0;
}
/* With the values of the analysis, as the library may. */
int cusparseSpSV_solve(void *h, int op, const void *, matrix *a, matrix *b, matrix *x, int, int, analysis *of)
{
    if (fake_fails("cusparseSpSV_solve")) return 6;
    require(h == &the_cusparse && of->workspace && b->count == a->rows && x->count == a->rows && b->values != x->values,
            "cusparseSpSV_solve", "no analysis, or shapes");
    const long n = a->rows;
    std::vector<double> t((size_t)(n * n)), y((size_t)n);
    for (long i = 0; i < n; i++)
        for (int p = a->row[i]; p < a->row[i + 1]; p++)
            if (a->fill ? a->col[p] >= i : a->col[p] <= i)
                t[(size_t)(op ? a->col[p] * n + i : i * n + a->col[p])] = of->values[(size_t)p];
    const bool is_lower = (a->fill == 0) == (op == 0);
    for (long step = 0; step < n; step++) {
        const long i = is_lower ? step : n - 1 - step;
        double sum = value(*b, i);
        for (long j = 0; j < n; j++)
            if (is_lower ? j < i : j > i) sum -= t[(size_t)(i * n + j)] * y[(size_t)j];
        y[(size_t)i] = a->diagonal ? sum : sum / t[(size_t)(i * n + i)];
    }
    for (long i = 0; i < n; i++) put(*x, i, y[(size_t)i]);
    return 0;
}

int cusparseSpGEMM_createDescr(void **out)
{
    if (fake_fails("cusparseSpGEMM_createDescr")) return 3;
    fake_made("products", 1);
    *out = new analysis;
    return 0;
}
int cusparseSpGEMM_destroyDescr(void *a)
{
    fake_made("products", -1);
    delete (analysis *)a;
    return 0;
}
int cusparseSpGEMM_workEstimation(void *, int, int, const void *, matrix *, matrix *, const void *, matrix *, int, int, analysis *of, size_t *bytes, void *workspace)
{
    if (fake_fails("cusparseSpGEMM_workEstimation")) return 11;
    if (workspace) fake_require_device(workspace, *bytes, "cusparseSpGEMM_workEstimation"), of->steps = 1;
    *bytes = workspace_bytes;
    return 0;
}
int cusparseSpGEMM_estimateMemory(void *, int, int, const void *, matrix *, matrix *, const void *, matrix *, int, int alg, analysis *of, float part, size_t *bytes, void *workspace, size_t *second)
{
    require(alg == 5 && part > 0 && part <= 1 && of->steps >= 1, "cusparseSpGEMM_estimateMemory", "the method, or the order of steps");
    fake_fails("cusparseSpGEMM_estimateMemory");
    if (workspace) fake_require_device(workspace, *bytes, "cusparseSpGEMM_estimateMemory"), *second = workspace_bytes;
    *bytes = workspace_bytes;
    return 0;
}
int cusparseSpGEMM_compute(void *, int, int, const void *, matrix *a, matrix *b, const void *, matrix *c, int, int alg, analysis *of, size_t *bytes, void *workspace)
{
    if (fake_fails("cusparseSpGEMM_compute") || (alg == 0 && fake_fails("cusparseSpGEMM_at_once"))) return 11;
    require(of->steps == 1 && a->format == 'r' && b->format == 'r' && a->cols == b->rows, "cusparseSpGEMM_compute", "the order of steps");
    *bytes = workspace_bytes;
    if (!workspace) return 0;
    of->steps = 2;
    of->rows.resize((size_t)a->rows);
    each(*a, [&](const long i, const long k, const double v) {
        for (int q = b->row[k]; q < b->row[k + 1]; q++) {
            auto &row = of->rows[(size_t)i];
            bool is_there = false;
            for (auto &[j, sum] : row)
                if (j == b->col[q]) sum += v * value(*b, q), is_there = true;
            /* In an order that nobody may rely on. */
            if (!is_there) row.insert(row.begin(), {b->col[q], v * value(*b, q)});
        }
    });
    c->count = 0;
    for (const auto &row : of->rows) c->count += (long)row.size();
    return 0;
}
int cusparseSpGEMM_copy(void *, int, int, const void *, matrix *, matrix *, const void *, matrix *c, int, int, analysis *of)
{
    if (fake_fails("cusparseSpGEMM_copy")) return 11;
    require(of->steps == 2, "cusparseSpGEMM_copy", "the order of steps");
    fake_require_device(c->row, (size_t)(c->rows + 1) * sizeof(int), "cusparseSpGEMM_copy");
    fake_require_device(c->col, (size_t)c->count * sizeof(int), "cusparseSpGEMM_copy");
    fake_require_device(c->values, (size_t)c->count * size(*c), "cusparseSpGEMM_copy");
    int end = 0;
    for (long i = 0; i < c->rows; i++) {
        c->row[i] = end;
        for (const auto &[j, sum] : of->rows[(size_t)i]) c->col[end] = j, put(*c, end++, sum);
    }
    c->row[c->rows] = end;
    return 0;
}

} // extern "C"
