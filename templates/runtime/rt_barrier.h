// Barriers among the blocks of one kernel on the GPU, and launches whose blocks are all resident at once: without that,
// blocks would wait for others that cannot begin.
//
// A kernel that crosses a barrier has it as its last parameter, by value, and calls RT_GRID_BARRIER(rt_barrier) where
// all threads of all blocks pass, or none:
//   rt_cooperative_barrier    CUDA's own, of cooperative groups: one counter
//   rt_lock_free_barrier      two arrays of flags, a slot a block (Xiao and Feng, "Inter-block GPU communication via
//                             fast barrier synchronization", IPDPS 2010; rt-cuda, section 3.3), here with the
//                             releases and acquires of today's memory model in the place of volatile and fences
// What any thread wrote to device memory before, every thread sees after, if it does not read through rt_in, rt_out or
// rt_inout: their promise that no other pointer leads there lets the compiler keep what it read (see rt_exchanged).
#pragma once

#include <cuda_runtime.h>

// The header needs libcu++ for what is not used here; without, a file compiles in half the time.
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

#include "rt_copy.h"

#define RT_GRID_BARRIER(barrier) (barrier).cross()

struct rt_cooperative_barrier {
    __device__ void cross() const
    {
        if (gridDim.x == 1)
            __syncthreads();
        else
            cooperative_groups::this_grid().sync();
    }
};

// A slot's two flags are equal while its block computes. The block says that it has arrived by adding one to its flag
// of `arrived`; block 0 lets it go by making the flag of `released` equal. So the flags of every launch start where
// those of the last one ended, whatever the number of blocks, and need no reset.
struct rt_lock_free_barrier {
    unsigned *arrived, *released;
    unsigned generation; // of the calling thread's own flag, once it is known
    bool is_known;

    __device__ void cross()
    {
        __syncthreads();
        if (gridDim.x == 1) return;
        const unsigned me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        if (blockIdx.x == 0)
            gather(me, blockDim.x * blockDim.y * blockDim.z);
        else if (me == 0)
            arrive();
        __syncthreads();
    }

private:
    __device__ static unsigned load_relaxed(const unsigned *const flag)
    {
        unsigned value;
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
        return value;
    }
    __device__ static unsigned load_acquire(const unsigned *const flag)
    {
        unsigned value;
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
        return value;
    }
    __device__ static void store_release(unsigned *const flag, const unsigned value)
    {
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
    }

    // One thread for its block, which has come together.
    __device__ void arrive()
    {
        if (!is_known) generation = load_relaxed(arrived + blockIdx.x);
        is_known = true;
        generation++;
        store_release(arrived + blockIdx.x, generation);
        while (load_acquire(released + blockIdx.x) != generation) {
        }
    }

    // The threads of block 0 watch a slot each, or several; when all of them have seen theirs, each releases its own.
    __device__ void gather(const unsigned me, const unsigned threads)
    {
        const unsigned first = 1 + me, end = gridDim.x;
        unsigned seen = 0;
        for (unsigned slot = first; slot < end; slot += threads) {
            const unsigned before = load_relaxed(released + slot);
            do seen = load_acquire(arrived + slot);
            while (seen == before);
        }
        __syncthreads();
        const bool one_each = end <= threads + 1;
        for (unsigned slot = first; slot < end; slot += threads)
            store_release(released + slot, one_each ? seen : load_relaxed(arrived + slot));
    }
};

namespace rt {

// The flags of the lock-free barrier: for as many blocks as the device can hold, allocated once.
inline unsigned *barrier_flags;

inline void release_barrier_flags()
{
    cudaFree(barrier_flags);
}

inline int device_attribute(const place &at, const cudaDeviceAttr attribute)
{
    int device = 0, value = 0;
    check_cuda(at, cudaGetDevice(&device), "cudaGetDevice", "the device");
    check_cuda(at, cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute", "the device");
    return value;
}

// What launch_resident gives a kernel as its barrier.
struct grid_barrier {
    const place &at;
};

template <class P> P barrier_parameter(const place &at)
{
    if constexpr (std::is_same_v<P, rt_lock_free_barrier>) {
        static const int most = device_attribute(at, cudaDevAttrMultiProcessorCount) *
                                device_attribute(at, cudaDevAttrMaxBlocksPerMultiprocessor);
        if (!barrier_flags) {
            const size_t bytes = 2 * most * sizeof(unsigned);
            unsigned *flags = nullptr;
            check_cuda(at, cudaMalloc((void **)&flags, bytes), "cudaMalloc", "the barrier's flags");
            const cudaError_t status = cudaMemset(flags, 0, bytes);
            if (status != cudaSuccess) cudaFree(flags);
            check_cuda(at, status, "cudaMemset", "the barrier's flags");
            barrier_flags = flags;
            at_exit(release_barrier_flags);
        }
        return {barrier_flags, barrier_flags + most, 0, false};
    } else {
        static_assert(std::is_same_v<P, rt_cooperative_barrier>, "a resident kernel's last parameter is its barrier");
        return {};
    }
}

inline void require_cooperation(const place &at, const char *kernel)
{
    static const bool can = device_attribute(at, cudaDevAttrCooperativeLaunch) != 0;
    if (can) return;
    fail(at, format("kernel %s: this device cannot launch blocks that wait for each other", kernel),
         "set sync = \"relaunch\" in the configuration: a launch for each step");
}

// How many blocks of a kernel the device holds at once. Asked for at every call, so what is known is kept.
inline long resident_blocks_on_device(const place &at, const void *function, const rt_size3 block)
{
    struct known {
        const void *function;
        long threads, blocks;
    };
    static list<known> all;
    for (const known &k : all)
        if (k.function == function && k.threads == block.count()) return k.blocks;
    int each = 0;
    check_cuda(at, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, function, (int)block.count(), 0),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor", "a resident kernel");
    if (each == 0) {
        fail(at,
             format("a resident kernel: a multiprocessor cannot hold one block of %ld threads of it", block.count()),
             "choose a smaller block in the configuration, or sync = \"relaunch\"");
    }
    all.push_back({function, block.count(), (long)each * device_attribute(at, cudaDevAttrMultiProcessorCount)});
    return all.back().blocks;
}

} // namespace rt
