// Atomic updates of an element of device memory, by the instruction that fits or a compare-and-swap loop; and what blocks
// leave for the one of them that comes last.
#pragma once

#include <type_traits>

#include "rt_math.h"

// The type that CUDA's own instructions know for T: `long` is `long long` or `int` to them.
template <class T>
using rt_native = std::conditional_t<
    !std::is_integral_v<T>, T,
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>,
                       std::conditional_t<std::is_signed_v<T>, int, unsigned>>>;

template <class Op, class T> __device__ inline void rt_atomic_word(T &target, const T v)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "words are of 4 or 8 bytes");
    using N = rt_native<T>;
    constexpr bool integral = std::is_integral_v<T>;
    if constexpr (std::is_same_v<Op, rt_add>) {
        // Two's complement: a signed sum is the unsigned one.
        if constexpr (integral)
            atomicAdd((rt_word<T> *)&target, (rt_word<T>)v);
        else
            atomicAdd(&target, v);
    } else if constexpr (integral && std::is_same_v<Op, rt_min_op>)
        atomicMin((N *)&target, (N)v);
    else if constexpr (integral && std::is_same_v<Op, rt_max_op>)
        atomicMax((N *)&target, (N)v);
    else if constexpr (integral && std::is_same_v<Op, rt_and>)
        atomicAnd((rt_word<T> *)&target, (rt_word<T>)v);
    else if constexpr (integral && std::is_same_v<Op, rt_or>)
        atomicOr((rt_word<T> *)&target, (rt_word<T>)v);
    else if constexpr (integral && std::is_same_v<Op, rt_xor>)
        atomicXor((rt_word<T> *)&target, (rt_word<T>)v);
    else {
        rt_word<T> *const word = (rt_word<T> *)&target;
        rt_word<T> seen = *word, expected;
        do {
            expected = seen;
            T old;
            memcpy(&old, &expected, sizeof old);
            const T joined = Op::template join<T>(old, v);
            rt_word<T> wanted;
            memcpy(&wanted, &joined, sizeof wanted);
            if (wanted == expected) return; // min or max that changes nothing
            seen = atomicCAS(word, expected, wanted);
        } while (seen != expected);
    }
}

// An element of 1 or 2 bytes, in the word of 4 that it lies in: arrays on the device end with a whole one.
template <class Op, class T> __device__ inline void rt_atomic_part(T &target, const T v)
{
    const size_t place = (size_t)&target, first = place / 4 * 4;
    const unsigned shift = 8 * (unsigned)(place - first), mask = (sizeof(T) == 1 ? 0xffu : 0xffffu) << shift;
    unsigned *const word = (unsigned *)first;
    unsigned seen = *word, expected;
    do {
        expected = seen;
        const T joined = Op::template join<T>((T)((expected & mask) >> shift), v);
        const unsigned wanted = (expected & ~mask) | ((unsigned)joined << shift & mask);
        if (wanted == expected) return;
        seen = atomicCAS(word, expected, wanted);
    } while (seen != expected);
}

template <class Op, class T, class V> __device__ inline void rt_atomic(T &target, const V value)
{
    const T v = (T)value;
    if constexpr (sizeof(T) < 4)
        rt_atomic_part<Op>(target, v);
    else
        rt_atomic_word<Op>(target, v);
}

// The threads that have a part of something each leave theirs, then ask whether they are the last of so many; the one that is
// takes all parts, and so may its warp. The slots are empty again then, and the count begins anew. What is left is its own
// sign of having arrived, so that no access has to be ordered with another (all are relaxed, as `volatile` is in PTX):
// fences would cost more than the sums. The last one waits for what is on its way already, never for a block to begin.
template <class T> __device__ inline void rt_leave(rt_word<T> &slot, const T number)
{
    *(volatile rt_word<T> *)&slot = rt_message(number);
}
template <class T> __device__ inline T rt_take(rt_word<T> &slot)
{
    volatile rt_word<T> *const from = &slot;
    rt_word<T> message;
    do message = *from;
    while (message == rt_nothing<T>());
    *from = rt_nothing<T>();
    return rt_number<T>(message);
}
__device__ inline bool rt_is_last(unsigned &arrived, const long parts)
{
    if (atomicAdd(&arrived, 1u) + 1 != parts) return false;
    *(volatile unsigned *)&arrived = 0;
    return true;
}

// Messages of blocks to others that run at the same time: a word that says whether it has come, and of what it brings a
// part of 4 bytes. It brings all that its reader needs, so that no access has to be ordered with another. Only who has
// begun is waited for.
__device__ inline void rt_post(unsigned long long &slot, const unsigned part)
{
    *(volatile unsigned long long *)&slot = 1ull << 32 | part;
}
__device__ inline unsigned long long rt_look(const unsigned long long &slot)
{
    return *(const volatile unsigned long long *)&slot;
}
__device__ inline unsigned rt_await(const unsigned long long &slot, unsigned long long seen)
{
    while (seen >> 32 == 0) seen = rt_look(slot);
    return (unsigned)seen;
}
__device__ inline unsigned rt_count(unsigned &begun)
{
    return atomicAdd(&begun, 1u);
}
