// What the peers of a comparison share: hand-written programs that call NVIDIA's libraries. A peer writes a line to the
// error stream for each way that it knows: microseconds, and what they are of.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

inline void check(const long status, const char *what)
{
    if (status == 0) return;
    fprintf(stderr, "%s failed: status %ld\n", what, status);
    exit(1);
}
#define CHECK(call) check((long)(call), #call)

template <class T> T *on_device(const T *from, const size_t count)
{
    T *to = nullptr;
    CHECK(cudaMalloc(&to, count * sizeof(T) + 1));
    CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}
inline double *on_device(const size_t count, const double value)
{
    return on_device(std::vector<double>(count, value).data(), count);
}

// The best of some runs, in microseconds.
template <class F> double best(const cudaStream_t stream, const int runs, F &&run)
{
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    float least = 1e30f;
    for (int i = 0; i <= runs; i++) {
        CHECK(cudaEventRecord(begin, stream));
        run();
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (i > 0 && ms < least) least = ms; // the first one warms up
    }
    return 1e3 * least;
}

inline void tell(const double us, const char *what) { fprintf(stderr, "%.3f %s\n", us, what); }
