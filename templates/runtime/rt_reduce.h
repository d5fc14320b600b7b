// Joining values over the threads of a block, for the GPU and the simulation alike.
#pragma once

#include "rt_math.h"

// Values of one type that are joined together.
template <class T, int N> struct rt_several {
    T of[N];
};

// Joins several values, each by itself, over all threads of a block of any shape; all of them must reach it. Thread 0 gets
// the results, what the others get means nothing. The order of joining is fixed: a tree in each warp, then one over the
// warps. (Two sums at once take 1.0 us less of an iteration of CG than one behind the other: 6.2, then 5.2, on an H200.)
template <class Op, class T, int N> RT_DEVICE rt_several<T, N> rt_block_reduce(rt_several<T, N> values RT_WHERE)
{
    RT_SHARED(T, rt_warps, [32 * N]);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned lane = me % 32, warp = me / 32, n_warps = (threads + 31) / 32;
    const unsigned n_lanes = threads - warp * 32 < 32 ? threads - warp * 32 : 32;
    const unsigned lanes = n_lanes == 32 ? ~0u : (1u << n_lanes) - 1;
    for (unsigned d = 16; d > 0; d /= 2) {
        for (T &value : values.of) {
            const T other = __shfl_down_sync(lanes, value, d RT_AT);
            if (lane + d < n_lanes) value = Op::template join<T>(value, other);
        }
    }
    if (n_warps == 1) return values;
    for (int k = 0; k < N && lane == 0; k++) rt_warps[warp * N + k] = values.of[k];
    __syncthreads(RT_AT_ONLY);
    if (warp == 0) {
        for (int k = 0; k < N; k++)
            values.of[k] = lane < n_warps ? (T)rt_warps[lane * N + k] : Op::template identity<T>();
        for (unsigned d = 16; d > 0; d /= 2)
            for (T &value : values.of)
                value = Op::template join<T>(value, __shfl_down_sync(lanes, value, d RT_AT));
    }
    __syncthreads(RT_AT_ONLY); // the words may be written again
    return values;
}

template <class Op, class T> RT_DEVICE T rt_block_reduce(T value RT_WHERE)
{
    return rt_block_reduce<Op>(rt_several<T, 1>{value} RT_AT).of[0];
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
