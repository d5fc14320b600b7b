// Joining values over the threads of a block, for the GPU and the simulation alike.
#pragma once

#include "rt_math.h"

// Joins `value` over all threads of a block of any shape; all of them must reach it. Thread 0 gets the result, what
// the others get means nothing. The order of joining is fixed: a tree in each warp, then one over the warps.
template <class Op, class T> RT_DEVICE T rt_block_reduce(T value RT_WHERE)
{
    RT_SHARED(T, rt_warps, [32]);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned lane = me % 32, warp = me / 32, n_warps = (threads + 31) / 32;
    const unsigned n_lanes = threads - warp * 32 < 32 ? threads - warp * 32 : 32;
    const unsigned lanes = n_lanes == 32 ? ~0u : (1u << n_lanes) - 1;
    for (unsigned d = 16; d > 0; d /= 2) {
        const T other = __shfl_down_sync(lanes, value, d RT_AT);
        if (lane + d < n_lanes) value = Op::template join<T>(value, other);
    }
    if (n_warps == 1) return value;
    if (lane == 0) rt_warps[warp] = value;
    __syncthreads(RT_AT_ONLY);
    if (warp == 0) {
        value = lane < n_warps ? (T)rt_warps[lane] : Op::template identity<T>();
        for (unsigned d = 16; d > 0; d /= 2)
            value = Op::template join<T>(value, __shfl_down_sync(lanes, value, d RT_AT));
    }
    __syncthreads(RT_AT_ONLY); // the words may be written again
    return value;
}

// Joins `value` over groups of EXTENT threads of a block, each STRIDE after the one before; all threads of the block
// must reach it, and EXTENT * STRIDE divides their number. Every thread of a group gets the same result. The order of
// joining is fixed: a tree whose two operands are in the order of the threads. (Harris, "Optimizing parallel reduction
// in CUDA", 2007; where a group lies in a warp, by shuffles.)
template <class Op, int EXTENT, int STRIDE, class T> RT_DEVICE T rt_join(T value RT_WHERE)
{
    const unsigned me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned at = me / STRIDE % EXTENT; // in the group
    if constexpr (32 % (EXTENT * STRIDE) == 0) {
        const unsigned left = blockDim.x * blockDim.y * blockDim.z - me / 32 * 32;
        const unsigned lanes = left >= 32 ? ~0u : (1u << left) - 1;
        for (unsigned d = EXTENT / 2; d > 0; d /= 2) {
            const T other = __shfl_xor_sync(lanes, value, d * STRIDE RT_AT);
            value = at & d ? Op::template join<T>(other, value) : Op::template join<T>(value, other);
        }
        return value;
    } else {
        RT_SHARED(T, rt_values, [1024]);
        unsigned half = 1;
        while (half * 2 < EXTENT) half *= 2;
        rt_values[me] = value;
        for (; half > 0; half /= 2) {
            __syncthreads(RT_AT_ONLY);
            if (at < half && at + half < EXTENT)
                rt_values[me] = Op::template join<T>(rt_values[me], rt_values[me + half * STRIDE]);
        }
        __syncthreads(RT_AT_ONLY);
        value = rt_values[me - at * STRIDE];
        __syncthreads(RT_AT_ONLY); // the words may be written again
        return value;
    }
}
