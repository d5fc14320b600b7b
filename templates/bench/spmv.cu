// y = A x, x = A y, in turns, by cuSPARSE, prepared, by each of its ways.
#include <cusparse.h>
#include <utility>

#include "matrix.h"
#include "peer.h"

int main()
{
    const matrix a = bench_matrix();
    const size_t n = a.n, entries = a.start[n];
    int *start = on_device(a.start, n + 1), *column = on_device(a.column, entries);
    double *value = on_device(a.value, entries), *x = on_device(n, 1), *y = on_device(n, 0);
    cusparseHandle_t sparse;
    CHECK(cusparseCreate(&sparse));
    cusparseDnVecDescr_t from, to;
    CHECK(cusparseCreateDnVec(&from, n, x, CUDA_R_64F));
    CHECK(cusparseCreateDnVec(&to, n, y, CUDA_R_64F));
    const double one = 1, zero = 0;
    const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    for (const auto way : {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2}) {
        cusparseSpMatDescr_t matrix;
        CHECK(cusparseCreateCsr(&matrix, n, n, entries, start, column, value, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
        size_t bytes = 0;
        CHECK(cusparseSpMV_bufferSize(sparse, plain, &one, matrix, from, &zero, to, CUDA_R_64F, way, &bytes));
        void *buffer;
        CHECK(cudaMalloc(&buffer, bytes + 1));
        CHECK(cusparseSpMV_preprocess(sparse, plain, &one, matrix, from, &zero, to, CUDA_R_64F, way, buffer));
        const double us = best(nullptr, 20, [&] {
            CHECK(cusparseSpMV(sparse, plain, &one, matrix, from, &zero, to, CUDA_R_64F, way, buffer));
            std::swap(from, to);
        });
        tell(us, way == CUSPARSE_SPMV_CSR_ALG1 ? "cusparseSpMV, CSR_ALG1" : "cusparseSpMV, CSR_ALG2");
    }
    return 0;
}
