// Barriers among the blocks of one kernel on the GPU, and launches whose blocks are all resident at once: without that,
// blocks would wait for others that cannot begin.
//
// A kernel that crosses a barrier has it as its last parameter, by value, and calls RT_GRID_BARRIER(rt_barrier) where
// all threads of all blocks pass, or none:
//   rt_cooperative_barrier    CUDA's own, of cooperative groups: one counter
//   rt_lock_free_barrier      two arrays of flags, a slot a block (Xiao and Feng, "Inter-block GPU communication via
//                             fast barrier synchronization", IPDPS 2010; rt-cuda, section 3.3), here with the
//                             releases and acquires of today's memory model in the place of volatile and fences
//   rt_relaxed_barrier        a flag a block: how many waits it has come to. A block looks at the flags of those that it
//                             needs, RT_GRID_WAIT(rt_barrier, ...) at those of its neighbours (rt-cuda, section 3.3)
//   rt_asynchronous_barrier   CUDA's own where all pass; RT_GRID_WAIT(rt_barrier) waits for no other block, and what others
//                             wrote may be seen after it or later (rt-cuda, section 4.5)
// What any thread wrote to device memory before, every thread sees after, if it does not read through rt_in, rt_out or
// rt_inout: their promise that no other pointer leads there lets the compiler keep what it read (see rt_exchanged).
#pragma once

#include <cuda_runtime.h>

// The header needs libcu++ for what is not used here; without, a file compiles in half the time.
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

#include "rt_beside.h"
#include "rt_code.h"
#include "rt_copy.h"
#include "rt_replay.h"

#define RT_GRID_BARRIER(barrier) (barrier).cross()
#define RT_GRID_WAIT(barrier, ...) (barrier).wait(__VA_ARGS__)
#define RT_GOES_ON(barrier) (barrier).goes_on() // of a rt_interruptible (rt_interrupt.h)

struct rt_cooperative_barrier {
    __device__ void cross() const
    {
        if (gridDim.x == 1)
            __syncthreads();
        else
            cooperative_groups::this_grid().sync();
    }
};

struct rt_flag {
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
};

// A slot's two flags are equal while its block computes. The block says that it has arrived by adding one to its flag
// of `arrived`; block 0 lets it go by making the flag of `released` equal. So the flags of every launch start where
// those of the last one ended, whatever the number of blocks, and need no reset.
struct rt_lock_free_barrier : rt_flag {
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

// Flags are 0 when the kernel begins. That a block need not wait for those whose flags it does not look at, who emits the
// waits has proved.
struct rt_relaxed_barrier : rt_flag {
    unsigned *passed;
    unsigned waits; // that the calling thread's block has come to

    // For all blocks. (Each looking at the flags of all takes 0.77 us where 16 blocks of 256 threads take 1.01 by one
    // counter, 1.58 for 0.97 where there are 132, and 12.3 for 2.2 where there are 1,056: measured on an H200.)
    __device__ void cross() const { rt_cooperative_barrier{}.cross(); }

    // For the blocks beside (rt_beside.h).
    template <class... Extents> __device__ void wait(const Extents... extents)
    {
        __syncthreads();
        if (gridDim.x == 1) return;
        arrive();
        const auto standing = rt_standing((int)gridDim.x, extents...);
        const int me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        const int threads = blockDim.x * blockDim.y * blockDim.z;
        for (int k = me; k < standing.beside && standing.holds(blockIdx.x); k += threads)
            await(standing.neighbour(blockIdx.x, k));
        __syncthreads();
    }

private:
    // The block has come together.
    __device__ void arrive()
    {
        waits++;
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) store_release(passed + blockIdx.x, waits);
    }
    __device__ void await(const unsigned slot) const
    {
        while ((int)(load_acquire(passed + slot) - waits) < 0) {
        }
    }
};

struct rt_asynchronous_barrier : rt_cooperative_barrier {
    // The fence lets what comes after it not be read from what the multiprocessor had read before.
    __device__ void wait() const
    {
        __syncthreads();
        __threadfence();
    }
};

namespace rt {

// Flags of blocks: two for each that the device can hold for the lock-free barrier, one for relaxed waits; allocated once.
inline unsigned *barrier_flags, *wait_flags;

inline void release_flags()
{
    cudaFree(barrier_flags), cudaFree(wait_flags);
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

inline void make_flags(const place &at, unsigned *&flags, const int count)
{
    if (flags) return;
    const size_t bytes = count * sizeof(unsigned);
    unsigned *made = nullptr;
    check_cuda(at, cudaMalloc((void **)&made, bytes), "cudaMalloc", "the barrier's flags");
    const cudaError_t status = cudaMemset(made, 0, bytes);
    if (status != cudaSuccess) cudaFree(made);
    check_cuda(at, status, "cudaMemset", "the barrier's flags");
    if (!barrier_flags && !wait_flags) at_exit(release_flags);
    flags = made;
}

template <class P> P barrier_parameter(const place &at)
{
    if constexpr (requires { P::of_launch(at); }) {
        return P::of_launch(at);
    } else if constexpr (std::is_base_of_v<rt_cooperative_barrier, P>) {
        return {};
    } else {
        static const int most = device_attribute(at, cudaDevAttrMultiProcessorCount) *
                                device_attribute(at, cudaDevAttrMaxBlocksPerMultiprocessor);
        if constexpr (std::is_same_v<P, rt_lock_free_barrier>) {
            make_flags(at, barrier_flags, 2 * most);
            return {{}, barrier_flags, barrier_flags + most, 0, false};
        } else {
            static_assert(std::is_same_v<P, rt_relaxed_barrier>, "a resident kernel's last parameter is its barrier");
            make_flags(at, wait_flags, most);
            check_cuda(at, cudaMemsetAsync(wait_flags, 0, most * sizeof(unsigned), launch_stream), "cudaMemsetAsync",
                       "the flags of waits");
            return {{}, wait_flags, 0};
        }
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
    check_cuda(at, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_of(function), (int)block.count(), 0),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor", "a resident kernel");
    if (each == 0) {
        fail(at,
             format("a resident kernel: a multiprocessor cannot hold one block of %ld threads of it", block.count()),
             "choose a smaller block in the configuration, or sync = \"relaunch\"");
    }
    all.push_back({function, block.count(), (long)each * device_attribute(at, cudaDevAttrMultiProcessorCount)});
    return all.back().blocks;
}

template <class... P>
long resident_blocks_on_device(const place &at, void (*const function)(P...), const rt_size3 block)
{
    return resident_blocks_on_device(at, (const void *)function, block);
}

// Bytes that each of so many blocks of a resident kernel may keep on chip: of so many 16ths of the shared memory, what it leaves.
inline long room_on_device(const place &at, const void *function, const long blocks, const int sixteenths)
{
    cudaFuncAttributes own{};
    check_cuda(at, cudaFuncGetAttributes(&own, kernel_of(function)), "cudaFuncGetAttributes", "a resident kernel");
    const long taken = (long)own.sharedSizeBytes + device_attribute(at, cudaDevAttrReservedSharedMemoryPerBlock);
    const long each = rt_ceildiv(blocks, device_attribute(at, cudaDevAttrMultiProcessorCount));
    const long of_all = device_attribute(at, cudaDevAttrMaxSharedMemoryPerMultiprocessor) * (long)sixteenths / 16;
    const long most = device_attribute(at, cudaDevAttrMaxSharedMemoryPerBlockOptin) - (long)own.sharedSizeBytes;
    return rt_max(0, rt_min(of_all / each - taken, most));
}

template <class... P>
long room_on_device(const place &at, void (*const function)(P...), const long blocks, const int sixteenths)
{
    return room_on_device(at, (const void *)function, blocks, sixteenths);
}

} // namespace rt
