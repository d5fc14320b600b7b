/* The back end of a GPU: the operators of rtcuda_api.h by cuBLAS and cuSPARSE.
 *
 * A matrix has memory of the device from its first use there until it is freed; descriptors, workspaces, the
 * preprocessing of a product with a vector and the analyses of triangular solves are made once for a matrix, handles once
 * for a program. Matrices by rows are the transposes of what cuBLAS, by columns, takes: operands change places, nothing
 * is transposed. In a simulation this file is empty, and operators run on the CPU. */

#ifndef RT_SIM

#include <cuda_runtime.h>

#include "rtcuda_api_inside.h"
#include "rtcuda_api_libraries.h"

namespace {

handle blas, sparse; /* made once, by rtapi_device */

/* ---- Statuses. */

int cuda(const cudaError_t status, const char *call)
{
    if (status == cudaSuccess) return RT_OK;
    cudaGetLastError(); /* a failure that is told is over */
    return rtapi_fail(status == cudaErrorMemoryAllocation ? RT_ENOMEM : RT_EDEVICE, "%s: %s", call,
                      cudaGetErrorString(status));
}

int by_cublas(const int status, const char *call)
{
    if (status == 0) return RT_OK;
    return rtapi_fail(status == cublas_no_memory ? RT_ENOMEM : RT_EDEVICE, "%s: %s", call, cublas.status(status));
}

int by_cusparse(const int status, const char *call)
{
    if (status == 0) return RT_OK;
    const bool is_memory = status == cusparse_no_memory || status == cusparse_no_resources;
    return rtapi_fail(is_memory ? RT_ENOMEM : RT_EDEVICE, "%s: %s", call, cusparse.status(status));
}

/* ---- Memory. */

int allocate(void **out, const size_t bytes)
{
    if (cudaMalloc(out, bytes > 0 ? bytes : 1) == cudaSuccess) return RT_OK;
    cudaGetLastError();
    *out = nullptr;
    size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    return rtapi_fail(RT_ENOMEM, "%.0f bytes cannot be had on the device, which has %.0f free", (double)bytes, (double)free);
}

/* Data on the device, for a use. */
int on_device(const rtapi_block &constant, const rtapi_access access, void **out)
{
    rtapi_block &block = const_cast<rtapi_block &>(constant);
    int code = RT_OK;
    if (!block.device) code = allocate(&block.device, block.bytes);
    if (code == RT_OK && access != RTAPI_WRITE && !block.on_device)
        code = block.on_host
                   ? cuda(cudaMemcpy(block.device, block.host, block.bytes, cudaMemcpyHostToDevice), "copy to the device")
                   : cuda(cudaMemsetAsync(block.device, 0, block.bytes), "cudaMemset");
    if (code != RT_OK) return code;
    block.on_device = 1;
    if (access != RTAPI_READ) block.on_host = 0;
    *out = block.device;
    return RT_OK;
}

int to_host(rtapi_block *block)
{
    return cuda(cudaMemcpy(block->host, block->device, block->bytes, cudaMemcpyDeviceToHost), "copy to the host");
}

void release(rtapi_block &block)
{
    if (block.device) cudaFree(block.device);
    block.device = nullptr;
    block.on_device = 0;
}

/* ---- Scalars and types. */

int index_of(const RTtype type)
{
    return type == RT_DOUBLE;
}

int cuda_type(const RTtype type)
{
    return type == RT_DOUBLE ? CUDA_R_64F : CUDA_R_32F;
}

/* A number of the matrix's type, as the libraries take it. */
struct scalar {
    float single;
    double twice;
    bool is_double;
    scalar(const RTtype type, const double value) : single((float)value), twice(value), is_double(type == RT_DOUBLE) {}
    void *at() { return is_double ? (void *)&twice : (void *)&single; }
    double value() const { return is_double ? twice : (double)single; }
};

long elements(const RTdense *a)
{
    return a->rows * a->cols;
}

/* ---- What is kept for a dense matrix: it as a vector and as a matrix of cuSPARSE. */

struct dense_plan {
    descriptor vector = nullptr, matrix = nullptr;
};

dense_plan &plan_of(RTdense *a)
{
    if (!a->plan) a->plan = new dense_plan;
    return *static_cast<dense_plan *>(a->plan);
}

int as_vector(const RTdense *constant, const rtapi_access access, descriptor *out)
{
    RTdense *const x = const_cast<RTdense *>(constant);
    void *at;
    int code = on_device(x->values, access, &at);
    if (code == RT_OK && !plan_of(x).vector)
        code = by_cusparse(cusparse.dense_vector(&plan_of(x).vector, elements(x), at, cuda_type(x->type)),
                           "cusparseCreateDnVec");
    if (code == RT_OK) *out = plan_of(x).vector;
    return code;
}

int as_matrix(const RTdense *constant, const rtapi_access access, descriptor *out)
{
    RTdense *const a = const_cast<RTdense *>(constant);
    void *at;
    int code = on_device(a->values, access, &at);
    if (code == RT_OK && !plan_of(a).matrix)
        code = by_cusparse(
            cusparse.dense_matrix(&plan_of(a).matrix, a->rows, a->cols, a->cols, at, cuda_type(a->type), order_rows),
            "cusparseCreateDnMat");
    if (code == RT_OK) *out = plan_of(a).matrix;
    return code;
}

void forget_dense(RTdense *a)
{
    if (a->plan) {
        const dense_plan &plan = plan_of(a);
        if (plan.vector) cusparse.destroy_vector(plan.vector);
        if (plan.matrix) cusparse.destroy_dense(plan.matrix);
        delete &plan;
        a->plan = nullptr;
    }
    release(a->values);
}

/* ---- What is kept for a sparse matrix. */

/* A triangle, for solves. */
struct solve_plan {
    descriptor matrix = nullptr, analysis = nullptr;
    void *workspace = nullptr;
    bool is_ready = false;

    void forget()
    {
        if (analysis) cusparse.spsv_destroy(analysis);
        if (matrix) cusparse.destroy_matrix(matrix);
        if (workspace) cudaFree(workspace);
        *this = solve_plan();
    }
};

struct sparse_plan {
    descriptor matrix = nullptr;
    void *vector_workspace = nullptr; /* of products with a vector: of this matrix alone */
    bool has_vector_workspace = false, is_prepared = false;
    void *dense_workspace = nullptr; /* of products with so many columns */
    long columns = -1;
    solve_plan solves[2][2][2]; /* upper, unit, transposed */

    void forget_solves()
    {
        for (auto &of_triangle : solves)
            for (auto &of_diagonal : of_triangle)
                for (solve_plan &solve : of_diagonal) solve.forget();
    }
};

/* The three arrays on the device. Where values were changed, what was found out from them is out of date. */
int arrays(RTsparse *a, void **row, void **col, void **values)
{
    sparse_plan *const plan = static_cast<sparse_plan *>(a->plan);
    if (plan && !a->values.on_device) {
        plan->forget_solves();
        plan->is_prepared = false;
    }
    int code = on_device(a->row, RTAPI_READ, row);
    if (code == RT_OK) code = on_device(a->col, RTAPI_READ, col);
    if (code == RT_OK) code = on_device(a->values, RTAPI_READ, values);
    return code;
}

/* The matrix as cuSPARSE knows it. */
int as_sparse(const RTsparse *constant, sparse_plan **out)
{
    RTsparse *const a = const_cast<RTsparse *>(constant);
    void *row, *col, *values;
    int code = arrays(a, &row, &col, &values);
    if (code != RT_OK) return code;
    if (!a->plan) a->plan = new sparse_plan;
    sparse_plan &plan = *static_cast<sparse_plan *>(a->plan);
    const int type = cuda_type(a->type);
    if (!plan.matrix && a->format == RT_CSR)
        code = by_cusparse(
            cusparse.csr(&plan.matrix, a->rows, a->cols, a->count, row, col, values, index_int, index_int, base_zero, type),
            "cusparseCreateCsr");
    if (!plan.matrix && a->format == RT_CSC)
        code = by_cusparse(
            cusparse.csc(&plan.matrix, a->rows, a->cols, a->count, col, row, values, index_int, index_int, base_zero, type),
            "cusparseCreateCsc");
    if (!plan.matrix && a->format == RT_COO)
        code = by_cusparse(cusparse.coo(&plan.matrix, a->rows, a->cols, a->count, row, col, values, index_int, base_zero, type),
                           "cusparseCreateCoo");
    *out = &plan;
    return code;
}

void forget_sparse(RTsparse *a)
{
    if (a->plan) {
        sparse_plan *const plan = static_cast<sparse_plan *>(a->plan);
        plan->forget_solves();
        if (plan->matrix) cusparse.destroy_matrix(plan->matrix);
        if (plan->vector_workspace) cudaFree(plan->vector_workspace);
        if (plan->dense_workspace) cudaFree(plan->dense_workspace);
        delete plan;
        a->plan = nullptr;
    }
    release(a->row);
    release(a->col);
    release(a->values);
}

/* ---- Dense operators. */

int product(const RTdense *a, const RTdense *b, RTdense *c)
{
    void *x, *y, *to;
    int code;
    if ((code = on_device(a->values, RTAPI_READ, &x)) || (code = on_device(b->values, RTAPI_READ, &y)) ||
        (code = on_device(c->values, RTAPI_WRITE, &to)))
        return code;
    scalar one(a->type, 1), zero(a->type, 0);
    const int status = cublas.gemm[index_of(a->type)](blas, op_plain, op_plain, b->cols, a->rows, a->cols, one.at(), y,
                                                      b->cols, x, a->cols, zero.at(), to, b->cols);
    return by_cublas(status, "cublasGemm");
}

int product_with_vector(const RTdense *a, const RTdense *x, RTdense *y)
{
    void *matrix, *from, *to;
    int code;
    if ((code = on_device(a->values, RTAPI_READ, &matrix)) || (code = on_device(x->values, RTAPI_READ, &from)) ||
        (code = on_device(y->values, RTAPI_WRITE, &to)))
        return code;
    scalar one(a->type, 1), zero(a->type, 0);
    const int status = cublas.gemv[index_of(a->type)](blas, op_transposed, a->cols, a->rows, one.at(), matrix, a->cols,
                                                      from, 1, zero.at(), to, 1);
    return by_cublas(status, "cublasGemv");
}

/* By columns, b has as many rows as a: its columns are the rows of a. */
int transpose(const RTdense *a, RTdense *b)
{
    void *from, *to;
    int code;
    if ((code = on_device(a->values, RTAPI_READ, &from)) || (code = on_device(b->values, RTAPI_WRITE, &to))) return code;
    scalar one(a->type, 1), zero(a->type, 0);
    const int status = cublas.geam[index_of(a->type)](blas, op_transposed, op_plain, a->rows, a->cols, one.at(), from,
                                                      a->cols, zero.at(), to, a->rows, to, a->rows);
    return by_cublas(status, "cublasGeam");
}

/* A product of matrices with one term: it writes the result once, and reads nothing of it. */
int outer(const RTdense *x, const RTdense *y, RTdense *c)
{
    void *left, *right, *to;
    int code;
    if ((code = on_device(x->values, RTAPI_READ, &left)) || (code = on_device(y->values, RTAPI_READ, &right)) ||
        (code = on_device(c->values, RTAPI_WRITE, &to)))
        return code;
    scalar one(x->type, 1), zero(x->type, 0);
    const int status = cublas.gemm[index_of(x->type)](blas, op_plain, op_plain, c->cols, c->rows, 1, one.at(), right,
                                                      c->cols, left, 1, zero.at(), to, c->cols);
    return by_cublas(status, "cublasGemm");
}

int dot(const RTdense *x, const RTdense *y, double *result)
{
    void *left, *right;
    int code;
    if ((code = on_device(x->values, RTAPI_READ, &left)) || (code = on_device(y->values, RTAPI_READ, &right))) return code;
    scalar sum(x->type, 0);
    code = by_cublas(cublas.dot[index_of(x->type)](blas, elements(x), left, 1, right, 1, sum.at()), "cublasDot");
    *result = sum.value();
    return code;
}

int norm(const RTdense *x, double *result)
{
    void *from;
    int code = on_device(x->values, RTAPI_READ, &from);
    if (code != RT_OK) return code;
    scalar root(x->type, 0);
    code = by_cublas(cublas.nrm2[index_of(x->type)](blas, elements(x), from, 1, root.at()), "cublasNrm2");
    *result = root.value();
    return code;
}

int copy(const RTdense *x, RTdense *y)
{
    void *from, *to;
    int code;
    if ((code = on_device(x->values, RTAPI_READ, &from)) || (code = on_device(y->values, RTAPI_WRITE, &to))) return code;
    return cuda(cudaMemcpyAsync(to, from, x->values.bytes, cudaMemcpyDeviceToDevice), "copy on the device");
}

int scale(const double alpha, RTdense *x)
{
    void *at;
    const int code = on_device(x->values, RTAPI_UPDATE, &at);
    if (code != RT_OK) return code;
    scalar factor(x->type, alpha);
    return by_cublas(cublas.scal[index_of(x->type)](blas, elements(x), factor.at(), at, 1), "cublasScal");
}

int axpy(const double alpha, const RTdense *x, RTdense *y)
{
    void *from, *to;
    int code;
    if ((code = on_device(x->values, RTAPI_READ, &from)) || (code = on_device(y->values, RTAPI_UPDATE, &to))) return code;
    scalar factor(x->type, alpha);
    return by_cublas(cublas.axpy[index_of(x->type)](blas, elements(x), factor.at(), from, 1, to, 1), "cublasAxpy");
}

/* One pass over memory, by cublasGeam. It is made for matrices: a long vector is taken as one of some thousand rows, and
 * what is left over as another. */
int add(const double alpha, const RTdense *x, const double beta, const RTdense *y, RTdense *z)
{
    void *left, *right, *to;
    int code;
    if ((code = on_device(x->values, RTAPI_READ, &left)) || (code = on_device(y->values, RTAPI_READ, &right)) ||
        (code = on_device(z->values, RTAPI_WRITE, &to)))
        return code;
    scalar a(x->type, alpha), b(x->type, beta);
    const long n = elements(x), most = 4096, rows = n < most ? n : most, columns = n / rows, rest = n - rows * columns;
    const size_t done = (size_t)rows * columns * (x->type == RT_DOUBLE ? sizeof(double) : sizeof(float));
    const auto geam = cublas.geam[index_of(x->type)];
    code = by_cublas(geam(blas, op_plain, op_plain, rows, columns, a.at(), left, rows, b.at(), right, rows, to, rows),
                     "cublasGeam");
    if (code != RT_OK || rest == 0) return code;
    return by_cublas(geam(blas, op_plain, op_plain, rest, 1, a.at(), (char *)left + done, rest, b.at(),
                          (char *)right + done, rest, (char *)to + done, rest),
                     "cublasGeam");
}

/* ---- Sparse operators. */

int sparse_by_vector(const RTsparse *a, const RTdense *x, RTdense *y)
{
    sparse_plan *plan;
    descriptor from, to;
    int code;
    if ((code = as_sparse(a, &plan)) || (code = as_vector(x, RTAPI_READ, &from)) ||
        (code = as_vector(y, RTAPI_WRITE, &to)))
        return code;
    scalar one(a->type, 1), zero(a->type, 0);
    const int type = cuda_type(a->type);
    if (!plan->has_vector_workspace) {
        size_t bytes = 0;
        code = by_cusparse(cusparse.spmv_size(sparse, op_plain, one.at(), plan->matrix, from, zero.at(), to, type,
                                              spmv_default, &bytes),
                           "cusparseSpMV_bufferSize");
        if (code == RT_OK) code = allocate(&plan->vector_workspace, bytes);
        if (code != RT_OK) return code;
        plan->has_vector_workspace = true;
    }
    if (!plan->is_prepared && a->format == RT_CSR) {
        code = by_cusparse(cusparse.spmv_prepare(sparse, op_plain, one.at(), plan->matrix, from, zero.at(), to, type,
                                                 spmv_default, plan->vector_workspace),
                           "cusparseSpMV_preprocess");
        if (code != RT_OK) return code;
        plan->is_prepared = true;
    }
    return by_cusparse(cusparse.spmv(sparse, op_plain, one.at(), plan->matrix, from, zero.at(), to, type, spmv_default,
                                     plan->vector_workspace),
                       "cusparseSpMV");
}

int sparse_by_dense(const RTsparse *a, const RTdense *b, RTdense *c)
{
    if (b->cols == 1) return sparse_by_vector(a, b, c);
    sparse_plan *plan;
    descriptor from, to;
    int code;
    if ((code = as_sparse(a, &plan)) || (code = as_matrix(b, RTAPI_READ, &from)) ||
        (code = as_matrix(c, RTAPI_WRITE, &to)))
        return code;
    scalar one(a->type, 1), zero(a->type, 0);
    const int type = cuda_type(a->type), method = a->format == RT_CSR ? spmm_csr_by_rows : spmm_default;
    if (plan->columns != b->cols) {
        size_t bytes = 0;
        if (plan->dense_workspace) cudaFree(plan->dense_workspace);
        plan->dense_workspace = nullptr;
        plan->columns = -1;
        code = by_cusparse(cusparse.spmm_size(sparse, op_plain, op_plain, one.at(), plan->matrix, from, zero.at(), to, type,
                                              method, &bytes),
                           "cusparseSpMM_bufferSize");
        if (code == RT_OK) code = allocate(&plan->dense_workspace, bytes);
        if (code != RT_OK) return code;
        plan->columns = b->cols;
    }
    return by_cusparse(cusparse.spmm(sparse, op_plain, op_plain, one.at(), plan->matrix, from, zero.at(), to, type, method,
                                     plan->dense_workspace),
                       "cusparseSpMM");
}

/* What a product of two sparse matrices has for its time. */
struct sparse_product_work {
    descriptor result = nullptr, of = nullptr;
    void *first = nullptr, *second = nullptr;

    ~sparse_product_work()
    {
        if (of) cusparse.spgemm_destroy(of);
        if (result) cusparse.destroy_matrix(result);
        if (first) cudaFree(first);
        if (second) cudaFree(second);
    }
};

/* Fills c once its number of entries is known. */
int take_product(sparse_product_work &work, const sparse_plan *x, const sparse_plan *y, RTsparse *c, void *starts)
{
    long rows = 0, cols = 0, count = 0;
    void *indices, *values;
    int code = by_cusparse(cusparse.get_size(work.result, &rows, &cols, &count), "cusparseSpMatGetSize");
    if (code != RT_OK) return code;
    if (count > 0x7ffffffeL) return rtapi_fail(RT_EVALUE, "the product has %ld entries, more than an int counts", count);
    c->count = count;
    c->col.bytes = (size_t)count * sizeof(int);
    c->values.bytes = (size_t)count * (c->type == RT_DOUBLE ? sizeof(double) : sizeof(float));
    if ((code = on_device(c->col, RTAPI_WRITE, &indices)) || (code = on_device(c->values, RTAPI_WRITE, &values)) ||
        (code = by_cusparse(cusparse.set_pointers(work.result, starts, indices, values), "cusparseCsrSetPointers")))
        return code;
    scalar one(c->type, 1), zero(c->type, 0);
    c->maybe_unsorted = 1;
    return by_cusparse(cusparse.spgemm_copy(sparse, op_plain, op_plain, one.at(), x->matrix, y->matrix, zero.at(),
                                            work.result, cuda_type(c->type), spgemm_default, work.of),
                       "cusparseSpGEMM_copy");
}

int sparse_product(const RTsparse *a, const RTsparse *b, RTsparse *c)
{
    sparse_product_work work;
    sparse_plan *x, *y;
    void *starts;
    const int type = cuda_type(c->type);
    int code;
    if ((code = as_sparse(a, &x)) || (code = as_sparse(b, &y)) || (code = on_device(c->row, RTAPI_WRITE, &starts)) ||
        (code = by_cusparse(cusparse.csr(&work.result, c->rows, c->cols, 0, starts, nullptr, nullptr, index_int, index_int,
                                         base_zero, type),
                            "cusparseCreateCsr")) ||
        (code = by_cusparse(cusparse.spgemm_create(&work.of), "cusparseSpGEMM_createDescr")))
        return code;
    scalar one(c->type, 1), zero(c->type, 0);
    /* Each step is called for the size of its workspace, and again with it. */
    const auto step = [&](const decltype(cusparse.spgemm_compute) function, void **workspace, const char *name) {
        size_t bytes = 0;
        const auto call = [&] {
            return by_cusparse(function(sparse, op_plain, op_plain, one.at(), x->matrix, y->matrix, zero.at(), work.result,
                                        type, spgemm_default, work.of, &bytes, *workspace),
                               name);
        };
        int status = call();
        if (status == RT_OK) status = allocate(workspace, bytes);
        return status == RT_OK ? call() : status;
    };
    if ((code = step(cusparse.spgemm_estimate, &work.first, "cusparseSpGEMM_workEstimation")) ||
        (code = step(cusparse.spgemm_compute, &work.second, "cusparseSpGEMM_compute")))
        return code;
    return take_product(work, x, y, c, starts);
}

int analyse(solve_plan &plan, const rtapi_triangle *t, void *starts, void *indices, void *values, const descriptor from,
            const descriptor to)
{
    const RTsparse *const a = t->a;
    const int type = cuda_type(a->type), op = t->is_transposed ? op_transposed : op_plain;
    int fill = t->is_upper, diagonal = t->is_unit; /* as cusparseFillMode_t and cusparseDiagType_t */
    scalar one(a->type, 1);
    size_t bytes = 0;
    int code;
    plan.forget();
    if ((code = by_cusparse(cusparse.csr(&plan.matrix, a->rows, a->cols, a->count, starts, indices, values, index_int,
                                         index_int, base_zero, type),
                            "cusparseCreateCsr")) ||
        (code = by_cusparse(cusparse.set_attribute(plan.matrix, attribute_fill, &fill, sizeof fill),
                            "cusparseSpMatSetAttribute")) ||
        (code = by_cusparse(cusparse.set_attribute(plan.matrix, attribute_diagonal, &diagonal, sizeof diagonal),
                            "cusparseSpMatSetAttribute")) ||
        (code = by_cusparse(cusparse.spsv_create(&plan.analysis), "cusparseSpSV_createDescr")) ||
        (code = by_cusparse(cusparse.spsv_size(sparse, op, one.at(), plan.matrix, from, to, type, spsv_default,
                                               plan.analysis, &bytes),
                            "cusparseSpSV_bufferSize")) ||
        (code = allocate(&plan.workspace, bytes)) ||
        (code = by_cusparse(cusparse.spsv_analyse(sparse, op, one.at(), plan.matrix, from, to, type, spsv_default,
                                                  plan.analysis, plan.workspace),
                            "cusparseSpSV_analysis")))
        return code;
    plan.is_ready = true;
    return RT_OK;
}

int solve(const rtapi_triangle *t, const RTdense *b, RTdense *x)
{
    sparse_plan *of_matrix;
    descriptor from, to;
    int code;
    if ((code = as_sparse(t->a, &of_matrix)) || (code = as_vector(b, RTAPI_READ, &from)) ||
        (code = as_vector(x, RTAPI_WRITE, &to)))
        return code;
    solve_plan &plan = of_matrix->solves[t->is_upper][t->is_unit][t->is_transposed];
    if (!plan.is_ready &&
        (code = analyse(plan, t, t->starts->device, t->indices->device, t->a->values.device, from, to)))
        return code;
    scalar one(t->a->type, 1);
    return by_cusparse(cusparse.spsv(sparse, t->is_transposed ? op_transposed : op_plain, one.at(), plan.matrix, from, to,
                                     cuda_type(t->a->type), spsv_default, plan.analysis),
                       "cusparseSpSV_solve");
}

/* ---- The device. */

int wait()
{
    return cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

const char *name()
{
    static cudaDeviceProp properties;
    int device = 0;
    const bool is_known =
        cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&properties, device) == cudaSuccess;
    return is_known ? properties.name : "a CUDA device";
}

const rtapi_backend backend = {
    name,      wait,   to_host, forget_dense, forget_sparse, product, product_with_vector, transpose,
    outer,     dot,    norm,    copy,         scale,         axpy,    add,                 sparse_product,
    sparse_by_dense, sparse_by_vector, solve,
};

} // namespace

const rtapi_backend *rtapi_device(const char **why_not)
{
    static char why[200];
    int n_devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&n_devices);
    *why_not = why;
    if (status != cudaSuccess || n_devices == 0) {
        cudaGetLastError();
        snprintf(why, sizeof why, "no CUDA device: %s", status == cudaSuccess ? "none found" : cudaGetErrorString(status));
        return nullptr;
    }
    const char *missing = load_cublas();
    if (!missing) missing = load_cusparse();
    if (missing) {
        snprintf(why, sizeof why, "%s", missing);
        return nullptr;
    }
    if (cublas.create(&blas) != 0 || cusparse.create(&sparse) != 0) {
        snprintf(why, sizeof why, "cuBLAS and cuSPARSE cannot be started on the device");
        return nullptr;
    }
    *why_not = nullptr;
    return &backend;
}

#endif
