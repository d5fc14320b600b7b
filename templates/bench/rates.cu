// How fast this device copies and how fast it multiplies and adds: ceilings of kernels that are written well.
// Each argument is a rate that is asked for; a line on the error stream answers it: bytes or operations in a second.
#include "peer.h"

#include <cstdint>
#include <cstring>

__global__ void copy(const float4 *from, float4 *to, const size_t n)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) to[i] = from[i];
}

// Sixteen chains side by side in each thread, so that no operation waits for the one before it.
template <class T> __global__ void multiply_and_add(T *to, const T factor, const T term, const int n)
{
    T chain[16];
    for (int k = 0; k < 16; k++) chain[k] = threadIdx.x + k;
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 16; k++) chain[k] = chain[k] * factor + term;
    }
    T sum = 0;
    for (int k = 0; k < 16; k++) sum += chain[k];
    if (sum == T(1.5)) to[0] = sum;
}

static double copy_rate()
{
    const size_t bytes = size_t(1) << 30;
    float4 *from = nullptr, *to = nullptr;
    CHECK(cudaMalloc(&from, bytes));
    CHECK(cudaMalloc(&to, bytes));
    CHECK(cudaMemset(from, 0, bytes));
    double us = 1e30;
    for (const int blocks : {2048, 8192, 32768, 262144}) {
        const double now = best(nullptr, 10, [&] { copy<<<blocks, 256>>>(from, to, bytes / sizeof(float4)); });
        us = now < us ? now : us;
    }
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return 2e6 * bytes / us;
}

template <class T> static double fma_rate()
{
    T *to = nullptr;
    CHECK(cudaMalloc(&to, sizeof(T)));
    int processors = 0;
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = processors * 8, threads = 256, n = 20000;
    const double us =
        best(nullptr, 5, [&] { multiply_and_add<T><<<blocks, threads>>>(to, T(0.999), T(0.001), n); });
    CHECK(cudaGetLastError());
    CHECK(cudaFree(to));
    return 2e6 * 16 * n * blocks * threads / us;
}

int main(const int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "copy")) tell(copy_rate(), argv[i]);
        if (!strcmp(argv[i], "fmaf")) tell(fma_rate<float>(), argv[i]);
        if (!strcmp(argv[i], "fma")) tell(fma_rate<double>(), argv[i]);
    }
    return 0;
}
