// Reductions, scans and histograms by CUB. Each argument is one that is asked for: `reduce:N`, `scanf:N`, `scand:N` (float, double),
// `bytes:N:SPREAD`, `keys:N:BINS:SPREAD` (values below SPREAD).
#include "peer.h"

#include <cstring>
#include <cub/cub.cuh>
#include <string>

// Random enough, and the same as what the C programs count.
__global__ void scramble(unsigned *to, const size_t n, const unsigned below)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned x = unsigned(i % 65521) * 2654435761u;
        x ^= x >> 15;
        x *= 2246822519u;
        to[i] = (x ^ x >> 13) % below;
    }
}
__global__ void narrow(const unsigned *from, unsigned char *to, const size_t n)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) to[i] = from[i];
}

// CUB's calls come twice: for the size of their memory, and for the work.
template <class F> static double timed(F &&call)
{
    size_t size = 0;
    CHECK(call(nullptr, size));
    void *memory = nullptr;
    CHECK(cudaMalloc(&memory, size + 1));
    const double us = best(nullptr, 5, [&] { CHECK(call(memory, size)); });
    CHECK(cudaFree(memory));
    return us;
}

template <class T> static T *zeros(const size_t n)
{
    T *p = nullptr;
    CHECK(cudaMalloc(&p, n * sizeof(T) + 1));
    CHECK(cudaMemset(p, 0, n * sizeof(T)));
    return p;
}

static double reduce(const long n)
{
    float *x = zeros<float>(n), *sum = zeros<float>(1);
    const double us = timed([&](void *p, size_t &size) { return cub::DeviceReduce::Sum(p, size, x, sum, n); });
    CHECK(cudaFree(x)), CHECK(cudaFree(sum));
    return us;
}

template <class T> static double scan(const long n)
{
    T *x = zeros<T>(n), *y = zeros<T>(n);
    const double us =
        timed([&](void *p, size_t &size) { return cub::DeviceScan::InclusiveSum(p, size, x, y, n); });
    CHECK(cudaFree(x)), CHECK(cudaFree(y));
    return us;
}

template <class T> static double histogram(const T *keys, const long n, const int bins)
{
    int *count = zeros<int>(bins);
    const double us = timed([&](void *p, size_t &size) {
        return cub::DeviceHistogram::HistogramEven(p, size, keys, count, bins + 1, 0, bins, n);
    });
    CHECK(cudaFree(count));
    return us;
}

static double keys(const long n, const int bins, const unsigned below)
{
    unsigned *x = zeros<unsigned>(n);
    scramble<<<4096, 256>>>(x, n, below);
    const double us = histogram((const int *)x, n, bins);
    CHECK(cudaFree(x));
    return us;
}

static double bytes(const long n, const unsigned below)
{
    unsigned *x = zeros<unsigned>(n);
    unsigned char *narrowed = zeros<unsigned char>(n);
    scramble<<<4096, 256>>>(x, n, below);
    narrow<<<4096, 256>>>(x, narrowed, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    const double us = histogram(narrowed, n, 256);
    CHECK(cudaFree(narrowed));
    return us;
}

static double asked(const std::string &name, const long n, const long second, const long third)
{
    if (name == "reduce") return reduce(n);
    if (name == "scanf") return scan<float>(n);
    if (name == "scand") return scan<double>(n);
    if (name == "bytes") return bytes(n, (unsigned)second);
    if (name == "keys") return keys(n, (int)second, (unsigned)third);
    return -1;
}

int main(const int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char name[32] = {0};
        long n = 0, second = 0, third = 0;
        if (sscanf(argv[i], "%31[a-z]:%ld:%ld:%ld", name, &n, &second, &third) >= 2)
            tell(asked(name, n, second, third), argv[i]);
    }
    return 0;
}
