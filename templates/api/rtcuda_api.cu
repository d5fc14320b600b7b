/* The back end of a GPU: the operators of rtcuda_api.h by cuBLAS and cuSPARSE.
 *
 * A matrix has memory of the device from its first use there until it is freed; descriptors, workspaces, the
 * preprocessing of a product with a vector and the analyses of triangular solves are made once for a matrix, handles once
 * for a program. Matrices by rows are the transposes of what cuBLAS, by columns, takes: operands change places, nothing
 * is transposed. In a simulation this file is empty, and operators run on the CPU. */

#ifndef RT_SIM

#include "rtcuda_api_device.h"

namespace {

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

/* A product of two sparse matrices, for its time: what cuSPARSE is asked for in all its steps. */
struct sparse_product_steps {
    const sparse_plan *a, *b;
    RTsparse *c;
    int method;
    descriptor result = nullptr, work = nullptr;
    void *first = nullptr, *second = nullptr, *third = nullptr;
    size_t bytes = 0;
    scalar one, zero;

    sparse_product_steps(const sparse_plan *a, const sparse_plan *b, RTsparse *c, const int method)
        : a(a), b(b), c(c), method(method), one(c->type, 1), zero(c->type, 0)
    {
    }
    ~sparse_product_steps()
    {
        if (work) cusparse.spgemm_destroy(work);
        if (result) cusparse.destroy_matrix(result);
        void *const workspaces[] = {first, second, third};
        for (void *workspace : workspaces)
            if (workspace) cudaFree(workspace);
    }

    /* Calls one of the functions, whose first arguments are the same. */
    template <class F, class... Rest> int call(const F function, const char *name, Rest... rest)
    {
        return by_cusparse(function(sparse, op_plain, op_plain, one.at(), a->matrix, b->matrix, zero.at(), result,
                                    cuda_type(c->type), method, work, rest...),
                           name);
    }

    int begin(void *starts)
    {
        const int code = by_cusparse(cusparse.csr(&result, c->rows, c->cols, 0, starts, nullptr, nullptr, index_int,
                                                  index_int, base_zero, cuda_type(c->type)),
                                     "cusparseCreateCsr");
        return code == RT_OK ? by_cusparse(cusparse.spgemm_create(&work), "cusparseSpGEMM_createDescr") : code;
    }

    /* The size of a workspace, and the step with it. */
    int estimate()
    {
        const char *const name = "cusparseSpGEMM_workEstimation";
        int code = call(cusparse.spgemm_estimate, name, &bytes, (void *)nullptr);
        if (code == RT_OK) code = allocate(&first, bytes);
        return code == RT_OK ? call(cusparse.spgemm_estimate, name, &bytes, first) : code;
    }

    /* The second workspace: by default for all products of two entries at once, else for a part of them at a time. */
    int size_second()
    {
        if (method == spgemm_default)
            return call(cusparse.spgemm_compute, "cusparseSpGEMM_compute", &bytes, (void *)nullptr);
        const char *const name = "cusparseSpGEMM_estimateMemory";
        const float part = 0.05f;
        size_t third_bytes = 0;
        int code = call(cusparse.spgemm_memory, name, part, &third_bytes, (void *)nullptr, (size_t *)nullptr);
        if (code == RT_OK) code = allocate(&third, third_bytes);
        return code == RT_OK ? call(cusparse.spgemm_memory, name, part, &third_bytes, third, &bytes) : code;
    }

    int compute()
    {
        int code = size_second();
        if (code == RT_OK) code = allocate(&second, bytes);
        return code == RT_OK ? call(cusparse.spgemm_compute, "cusparseSpGEMM_compute", &bytes, second) : code;
    }

    /* Fills c, once its number of entries is known. */
    int take(void *starts)
    {
        long rows = 0, cols = 0, count = 0;
        void *indices, *values;
        int code = by_cusparse(cusparse.get_size(result, &rows, &cols, &count), "cusparseSpMatGetSize");
        if (code != RT_OK) return code;
        if (count > 0x7ffffffeL) return rtapi_fail(RT_EVALUE, "the product has %ld entries, more than an int counts", count);
        c->count = count;
        c->col.bytes = (size_t)count * sizeof(int);
        c->values.bytes = (size_t)count * (c->type == RT_DOUBLE ? sizeof(double) : sizeof(float));
        c->maybe_unsorted = 1;
        if ((code = on_device(c->col, RTAPI_WRITE, &indices)) || (code = on_device(c->values, RTAPI_WRITE, &values)) ||
            (code = by_cusparse(cusparse.set_pointers(result, starts, indices, values), "cusparseCsrSetPointers")))
            return code;
        return call(cusparse.spgemm_copy, "cusparseSpGEMM_copy");
    }
};

/* First as fast as it can be; where the device has no memory for that, by parts. */
int sparse_product(const RTsparse *a, const RTsparse *b, RTsparse *c)
{
    sparse_plan *x, *y;
    void *starts;
    int code;
    if ((code = as_sparse(a, &x)) || (code = as_sparse(b, &y)) || (code = on_device(c->row, RTAPI_WRITE, &starts)))
        return code;
    const int methods[] = {spgemm_default, spgemm_by_parts};
    for (const int method : methods) {
        sparse_product_steps steps(x, y, c, method);
        if (!((code = steps.begin(starts)) || (code = steps.estimate()) || (code = steps.compute())))
            return steps.take(starts);
        if (code != RT_ENOMEM) break;
    }
    return code;
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
