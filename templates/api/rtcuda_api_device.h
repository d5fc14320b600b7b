/* What the back end of a GPU has of a matrix: its memory there, and what the libraries made for it. A part of
 * rtcuda_api.cu. */
#ifndef RTCUDA_API_DEVICE_H
#define RTCUDA_API_DEVICE_H

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

/* Opens pages of the host's that a converted region may have closed: the driver does not wait for the answer to a fault. */
void open_pages(void *const first, const size_t bytes, const bool writes)
{
    volatile char *const at = (volatile char *)first;
    for (size_t k = 0; k < bytes; k += 4096) {
        const char here = at[k];
        if (writes) at[k] = here;
    }
    const char last = bytes > 0 ? at[bytes - 1] : 0;
    if (bytes > 0 && writes) at[bytes - 1] = last;
}

/* Data on the device, for a use. */
int on_device(const rtapi_block &constant, const rtapi_access access, void **out)
{
    rtapi_block &block = const_cast<rtapi_block &>(constant);
    int code = RT_OK;
    if (!block.device) code = allocate(&block.device, block.bytes);
    if (code == RT_OK && access != RTAPI_WRITE && !block.on_device) {
        if (block.on_host) open_pages(block.host, block.bytes, false);
        code = block.on_host
                   ? cuda(cudaMemcpy(block.device, block.host, block.bytes, cudaMemcpyHostToDevice), "copy to the device")
                   : cuda(cudaMemsetAsync(block.device, 0, block.bytes), "cudaMemset");
    }
    if (code != RT_OK) return code;
    block.on_device = 1;
    if (access != RTAPI_READ) block.on_host = 0;
    *out = block.device;
    return RT_OK;
}

int to_host(rtapi_block *block)
{
    open_pages(block->host, block->bytes, true);
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

} // namespace

#endif
