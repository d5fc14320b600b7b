// Conjugate gradients by cuSPARSE and cuBLAS, scalars on the device, 20 iterations as a CUDA graph: the time of one.
#include <cublas_v2.h>
#include <cusparse.h>

#include "matrix.h"
#include "peer.h"

__global__ void quotient(const double *a, const double *b, double *q, double *minus_q) { *q = *a / *b, *minus_q = -*q; }

int main()
{
    const matrix a = bench_matrix();
    const size_t n = a.n, entries = a.start[n];
    const int iterations = 20;
    int *start = on_device(a.start, n + 1), *column = on_device(a.column, entries);
    double *value = on_device(a.value, entries), *x = on_device(n, 0), *r = on_device(n, 1), *p = on_device(n, 1);
    double *q = on_device(n, 0), *s = on_device(8, 0); // rr, pq, new rr, alpha, -alpha, beta, -beta
    const double rr = n;
    CHECK(cudaMemcpy(s, &rr, sizeof rr, cudaMemcpyHostToDevice));

    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cublasHandle_t blas;
    CHECK(cublasCreate(&blas));
    CHECK(cublasSetStream(blas, stream));
    CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    void *workspace;
    CHECK(cudaMalloc(&workspace, 32 << 20));
    CHECK(cublasSetWorkspace(blas, workspace, 32 << 20));
    cusparseHandle_t sparse;
    CHECK(cusparseCreate(&sparse));
    CHECK(cusparseSetStream(sparse, stream));
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t from, to;
    CHECK(cusparseCreateCsr(&matrix, n, n, entries, start, column, value, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    CHECK(cusparseCreateDnVec(&from, n, p, CUDA_R_64F));
    CHECK(cusparseCreateDnVec(&to, n, q, CUDA_R_64F));
    const double one = 1, zero = 0;
    const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const auto way = CUSPARSE_SPMV_CSR_ALG1;
    size_t bytes = 0;
    CHECK(cusparseSpMV_bufferSize(sparse, plain, &one, matrix, from, &zero, to, CUDA_R_64F, way, &bytes));
    void *buffer;
    CHECK(cudaMalloc(&buffer, bytes + 1));
    CHECK(cusparseSpMV_preprocess(sparse, plain, &one, matrix, from, &zero, to, CUDA_R_64F, way, buffer));
    double *ones = on_device(1, 1);

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    for (int i = 0; i < iterations; i++) {
        CHECK(cusparseSpMV(sparse, plain, &one, matrix, from, &zero, to, CUDA_R_64F, way, buffer));
        CHECK(cublasDdot(blas, n, p, 1, q, 1, s + 1));
        quotient<<<1, 1, 0, stream>>>(s, s + 1, s + 3, s + 4);
        CHECK(cublasDaxpy(blas, n, s + 3, p, 1, x, 1));
        CHECK(cublasDaxpy(blas, n, s + 4, q, 1, r, 1));
        CHECK(cublasDdot(blas, n, r, 1, r, 1, s + 2));
        quotient<<<1, 1, 0, stream>>>(s + 2, s, s + 5, s + 6);
        CHECK(cudaMemcpyAsync(s, s + 2, sizeof rr, cudaMemcpyDeviceToDevice, stream));
        CHECK(cublasDscal(blas, n, s + 5, p, 1));
        CHECK(cublasDaxpy(blas, n, ones, r, 1, p, 1));
    }
    cudaGraph_t graph;
    cudaGraphExec_t steps;
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&steps, graph, 0));
    const double us = best(stream, 5, [&] { CHECK(cudaGraphLaunch(steps, stream)); });
    tell(us / iterations, "cuSPARSE and cuBLAS in a graph");
    return 0;
}
