// Products by cuBLAS, without TF32. Each argument is one that is asked for: `sgemm:N`, `dgemm:N`, `sgemv:N:M` (rows,
// columns, as C lays them out), `tsgemv:N:M` (of the transpose), `dgemv:N:M`, `tdgemv:N:M`, `strsm:N`.
#include "peer.h"

#include <cstring>
#include <cublas_v2.h>
#include <string>

static cublasHandle_t handle;

template <class T> static T *filled(const size_t n, const T value)
{
    return on_device(std::vector<T>(n, value).data(), n);
}

static double gemm(const size_t n, const float one)
{
    float *a = filled(n * n, one), *b = filled(n * n, one), *c = filled(n * n, one);
    const float zero = 0;
    const int m = (int)n;
    const double us = best(nullptr, 5, [&] {
        CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, b, m, a, m, &zero, c, m));
    });
    CHECK(cudaFree(a)), CHECK(cudaFree(b)), CHECK(cudaFree(c));
    return us;
}

static double gemm(const size_t n, const double one)
{
    double *a = filled(n * n, one), *b = filled(n * n, one), *c = filled(n * n, one);
    const double zero = 0;
    const int m = (int)n;
    const double us = best(nullptr, 5, [&] {
        CHECK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, b, m, a, m, &zero, c, m));
    });
    CHECK(cudaFree(a)), CHECK(cudaFree(b)), CHECK(cudaFree(c));
    return us;
}

static cublasStatus_t call(const cublasOperation_t op, const int m, const int n, const float *a, const float *x,
                           float *y)
{
    const float one = 1, zero = 0;
    return cublasSgemv(handle, op, m, n, &one, a, m, x, 1, &zero, y, 1);
}

static cublasStatus_t call(const cublasOperation_t op, const int m, const int n, const double *a, const double *x,
                           double *y)
{
    const double one = 1, zero = 0;
    return cublasDgemv(handle, op, m, n, &one, a, m, x, 1, &zero, y, 1);
}

// The rows of C are the columns of cuBLAS: the product with the matrix as C has it is that with its transpose there.
template <class T> static double gemv(const cublasOperation_t op, const size_t rows, const size_t columns)
{
    const size_t longest = rows > columns ? rows : columns;
    T *a = filled<T>(rows * columns, 1), *x = filled<T>(longest, 1), *y = filled<T>(longest, 0);
    const double us = best(nullptr, 10, [&] { CHECK(call(op, (int)columns, (int)rows, a, x, y)); });
    CHECK(cudaFree(a)), CHECK(cudaFree(x)), CHECK(cudaFree(y));
    return us;
}

// L X = B in place, L lower, both by rows as C has them.
static double strsm(const size_t n)
{
    std::vector<float> identity(n * n, 0.0f);
    for (size_t i = 0; i < n; i++) identity[i * n + i] = 1;
    float *l = on_device(identity.data(), n * n), *b = filled<float>(n * n, 1);
    const float one = 1;
    const int m = (int)n;
    const double us = best(nullptr, 5, [&] {
        CHECK(cublasStrsm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, m, m,
                          &one, l, m, b, m));
    });
    CHECK(cudaFree(l)), CHECK(cudaFree(b));
    return us;
}

static double asked(const std::string &name, const size_t n, const size_t m)
{
    if (name == "sgemm") return gemm(n, 1.0f);
    if (name == "dgemm") return gemm(n, 1.0);
    if (name == "sgemv") return gemv<float>(CUBLAS_OP_T, n, m);
    if (name == "tsgemv") return gemv<float>(CUBLAS_OP_N, n, m);
    if (name == "dgemv") return gemv<double>(CUBLAS_OP_T, n, m);
    if (name == "tdgemv") return gemv<double>(CUBLAS_OP_N, n, m);
    if (name == "strsm") return strsm(n);
    return -1;
}

int main(const int argc, char **argv)
{
    CHECK(cublasCreate(&handle));
    CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
    for (int i = 1; i < argc; i++) {
        char name[32] = {0};
        long n = 0, m = 0;
        if (sscanf(argv[i], "%31[a-z]:%ld:%ld", name, &n, &m) >= 2) tell(asked(name, n, m), argv[i]);
    }
    return 0;
}
