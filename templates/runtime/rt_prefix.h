// Numbers in the place of which come the sums of those before them, by one block: for the tables of a matrix, made once.
#pragma once

#include "rt_runtime.h"

inline constexpr int rt_prefix_threads = 1024;

// Numbers from `first` on, `n` of them; returns the sum of all. A block of rt_prefix_threads at most: each thread adds up a part,
// the parts are added up in a tree (Hillis and Steele, 1986), each is told.
template <class T> RT_DEVICE T rt_prefix_by_block(const long n, const rt_inout<T> numbers, const long first)
{
    RT_SHARED(T, sums, [rt_prefix_threads]);
    const int threads = blockDim.x;
    const long part = rt_ceildiv(n, threads);
    const long from = threadIdx.x * part, to = rt_min(from + part, n);
    T own = 0;
    for (long s = from; s < to; s++) own += numbers[first + s];
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int d = 1; d < threads; d *= 2) {
        const T before = (int)threadIdx.x >= d ? (T)sums[threadIdx.x - d] : 0;
        __syncthreads();
        sums[threadIdx.x] = sums[threadIdx.x] + before;
        __syncthreads();
    }
    T at = sums[threadIdx.x] - own;
    for (long s = from; s < to; s++) {
        const T number = numbers[first + s];
        numbers[first + s] = at;
        at += number;
    }
    return sums[threads - 1];
}
