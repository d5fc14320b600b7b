// Wide accesses: vectors of elements that are loaded or stored together, and copies to shared memory that go on while
// the thread does other things (cp.async).
//
//   rt_load_vector(x, row, i)        x, an array of the thread, becomes row[i], row[i + 1] ...
//   rt_load_vector_part(x, row, i)   the same, where not all of them have been written, and those are not used
//   rt_store_vector(row, i, x)       the reverse
//   rt_aligned<N>(row, i)            whether a vector of N elements may begin at row[i]
//   rt_copy_async<N>(tile, i, row, j)    begins to copy row[j], row[j + 1] ... to tile[i] ..., of shared memory
//   rt_commit_copies()               what the thread has begun since the last one is a group
//   rt_wait_copies<P>()              waits for all groups of the thread but its newest P
// A row is an array of the device, or the last dimension of a tile.
#pragma once

#include "rt_math.h"

// The widest access that a vector is made of, in bytes: the address of its first element is a multiple of that.
template <class T, int N>
constexpr int rt_vector_bytes = N * sizeof(T) % 16 == 0  ? 16
                                : N * sizeof(T) % 8 == 0 ? 8
                                : N * sizeof(T) % 4 == 0 ? 4
                                : N * sizeof(T) % 2 == 0 ? 2
                                                         : 1;

#ifdef RT_SIM
#include "rt_sim_wide.h"
#else

// Elements that one access moves.
template <class T, int N> struct alignas(sizeof(T) * N) rt_pack {
    T items[N];
};

template <class T, int N> RT_DEVICE void rt_load_vector(T (&x)[N], const T *const row, const long i)
{
    constexpr int n = rt_vector_bytes<T, N> / sizeof(T);
    const rt_pack<T, n> *const packs = (const rt_pack<T, n> *)(row + i);
#pragma unroll
    for (int k = 0; k < N; k += n) {
        const rt_pack<T, n> pack = packs[k / n];
#pragma unroll
        for (int j = 0; j < n; j++) x[k + j] = pack.items[j];
    }
}

template <class T, int N> RT_DEVICE void rt_load_vector_part(T (&x)[N], const T *const row, const long i)
{
    rt_load_vector(x, row, i);
}

template <class T, int N> RT_DEVICE void rt_store_vector(T *const row, const long i, const T (&x)[N])
{
    constexpr int n = rt_vector_bytes<T, N> / sizeof(T);
    rt_pack<T, n> *const packs = (rt_pack<T, n> *)(row + i);
#pragma unroll
    for (int k = 0; k < N; k += n) {
        rt_pack<T, n> pack;
#pragma unroll
        for (int j = 0; j < n; j++) pack.items[j] = x[k + j];
        packs[k / n] = pack;
    }
}

template <int N, class T> RT_DEVICE int rt_aligned(const T *const row, const long i)
{
    return (unsigned long)(row + i) % rt_vector_bytes<T, N> == 0;
}

// Devices before sm_80 copy at once, and have nothing to wait for.
template <int N, class T>
RT_DEVICE void rt_copy_async(T *const tile, const long i, const T *const row, const long j)
{
    constexpr int bytes = N * sizeof(T);
    static_assert(bytes == 4 || bytes == 8 || bytes == 16, "an asynchronous copy has 4, 8 or 16 bytes");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const unsigned to = (unsigned)__cvta_generic_to_shared(tile + i);
    if constexpr (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to), "l"(row + j) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(to), "l"(row + j), "n"(bytes) : "memory");
#else
    *(rt_pack<T, N> *)(tile + i) = *(const rt_pack<T, N> *)(row + j);
#endif
}

RT_DEVICE void rt_commit_copies()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

template <int PENDING> RT_DEVICE void rt_wait_copies()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" : : "n"(PENDING) : "memory");
#endif
}

#endif
