// The same product by a call of cuBLAS.
#include <cublas_v2.h>
#include <cstring>

#include "peer.h"

int main()
{
    const char *name = getenv("RT_BENCH");
    const int n = name && strlen(name) > 5 ? atoi(name + 5) : 0;
    if (n <= 0) return 2;
    double *a = on_device((size_t)n * n, 1), *b = on_device((size_t)n * n, 1), *c = on_device((size_t)n * n, 1);
    cublasHandle_t blas;
    CHECK(cublasCreate(&blas));
    const double one = 1, zero = 0;
    const auto plain = CUBLAS_OP_N, transposed = CUBLAS_OP_T;
    if (name[3] == 'm')
        tell(best(nullptr, 10, [&] { CHECK(cublasDgemm(blas, plain, plain, n, n, n, &one, b, n, a, n, &zero, c, n)); }),
             "cublasDgemm");
    else
        tell(best(nullptr, 10, [&] { CHECK(cublasDgemv(blas, transposed, n, n, &one, a, n, b, 1, &zero, c, 1)); }),
             "cublasDgemv");
    return 0;
}
