// Scans over all blocks of a kernel in one pass over memory, for the GPU and the simulation alike: each block tells those
// behind it what its own part joins to, and looks back to what the blocks before it have told. (Merrill and Garland,
// "Single-pass parallel prefix scan with decoupled look-back", NVR-2016-002, 2016.)
//
// There a block joins whatever its predecessors have told by then, so that sums of floating-point numbers vary from run to
// run. Here the association is fixed, as if blocks were counted in base 32: what comes before block 2053 = (2, 0, 5) is what
// the first 2 * 1024 blocks join to, then no 32 whole blocks, then blocks 2048 to 2052. The last block of 32 tells what these
// join to, and the last of 1024 what the next begin with: a block waits for at most 63 messages, and 1024 blocks begin
// after one that waits.
#pragma once

#include <type_traits>

#include "rt_math.h"

constexpr unsigned rt_message_blocks = 32; // that are joined at once: the lanes of a warp

// A message takes a word for every 4 bytes; a block has two messages: what it joins to, and what it is the last of.
template <class T> constexpr int rt_message_words = (sizeof(T) + 3) / 4;

using rt_slots = rt_inout<unsigned long long>;

template <class T> RT_DEVICE void rt_tell(const rt_slots slots, const long message, const T value)
{
    constexpr int n = rt_message_words<T>;
    unsigned parts[n] = {};
    memcpy(parts, &value, sizeof value);
    for (int w = 0; w < n; w++) rt_post(slots[message * n + w], parts[w]);
}

// A message as it stands, and as it is once all of it has come: who looks for several before he waits for the first has
// them on their way together.
template <class T> struct rt_message_seen {
    unsigned long long words[rt_message_words<T>] = {}; // not there yet
};
template <class T> RT_DEVICE void rt_look_for(rt_message_seen<T> &seen, const rt_slots slots, const long message)
{
    constexpr int n = rt_message_words<T>;
    for (int w = 0; w < n; w++) seen.words[w] = rt_look(slots[message * n + w]);
}
template <class T> RT_DEVICE T rt_wait_for(const rt_message_seen<T> &seen, const rt_slots slots, const long message)
{
    constexpr int n = rt_message_words<T>;
    unsigned parts[n];
    for (int w = 0; w < n; w++) parts[w] = rt_await(slots[message * n + w], seen.words[w]);
    T value;
    memcpy(&value, parts, sizeof value);
    return value;
}

// Joins a value over a warp, whose lanes all reach it and get the same; in a fixed tree.
template <class Op, class T> RT_DEVICE T rt_warp_join(T value RT_WHERE)
{
    const unsigned lane = threadIdx.x % 32;
    for (unsigned d = 1; d < 32; d *= 2) {
        const T other = __shfl_xor_sync(~0u, value, d RT_AT);
        value = lane & d ? Op::template join<T>(other, value) : Op::template join<T>(value, other);
    }
    return value;
}

// Joins `value` over the lanes of a warp in their order; all of them must reach it. A lane's becomes what `carry` and the
// values of the lanes before it join to, and `carry`, which all lanes have the same, what it and all values join to.
template <class Op, class T> RT_DEVICE void rt_warp_scan(T &value, T &carry RT_WHERE)
{
    const unsigned lane = threadIdx.x % 32;
    T sum = value;
    for (unsigned d = 1; d < 32; d *= 2) {
        const T other = __shfl_up_sync(~0u, sum, d RT_AT);
        if (lane >= d) sum = Op::template join<T>(other, sum);
    }
    const T before = __shfl_up_sync(~0u, sum, 1 RT_AT);
    value = lane > 0 ? Op::template join<T>(carry, before) : carry;
    carry = Op::template join<T>(carry, __shfl_sync(~0u, sum, 31 RT_AT));
}

// The value of all that comes before a block, by its first warp: `total` is what the block joins to, `start` what the first one begins with.
template <class Op, class T>
RT_DEVICE T rt_look_back(const T total, const T start, const rt_slots slots, const unsigned block RT_WHERE)
{
    constexpr unsigned n = rt_message_blocks;
    const unsigned lane = threadIdx.x, place = block % n, group = block / n % n, first = block / (n * n) * (n * n);
    const bool has_block = lane < place, has_group = lane < group, is_last = lane == 0 && place == n - 1;
    const long of_block = 2l * (block - place + lane), of_group = 2l * (first + n * lane + n - 1) + 1;
    const long of_first = 2l * first - 1;
    if (lane == 0) rt_tell(slots, 2l * block, total);
    rt_message_seen<T> block_seen, group_seen, first_seen;
    if (has_block) rt_look_for(block_seen, slots, of_block);
    if (has_group) rt_look_for(group_seen, slots, of_group);
    if (first > 0) rt_look_for(first_seen, slots, of_first);
    T blocks = has_block ? rt_wait_for(block_seen, slots, of_block) : Op::template identity<T>();
    blocks = rt_warp_join<Op>(blocks RT_AT);
    if (is_last && group < n - 1) rt_tell(slots, 2l * block + 1, Op::template join<T>(blocks, total));
    T groups = has_group ? rt_wait_for(group_seen, slots, of_group) : Op::template identity<T>();
    groups = rt_warp_join<Op>(groups RT_AT);
    T before = first > 0 ? rt_wait_for(first_seen, slots, of_first) : start;
    before = Op::template join<T>(Op::template join<T>(before, groups), blocks);
    if (is_last && group == n - 1) rt_tell(slots, 2l * block + 1, Op::template join<T>(before, total));
    return before;
}

// Makes of each thread's value what all blocks before `block` and all warps of it before the thread's join to, from `start`
// on; all lanes of a warp get the same. Blocks have one dimension of whole warps; all threads must reach it, once.
// Those of blocks with lower numbers must have begun: numbers by rt_begin are such.
template <class Op, class T>
RT_DEVICE void rt_scan_blocks(T &value, const std::type_identity_t<T> start, const rt_slots slots, const unsigned block RT_WHERE)
{
    RT_SHARED(T, rt_warps, [32]);
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;
    value = rt_warp_join<Op>(value RT_AT);
    if (lane == 0) rt_warps[warp] = value;
    __syncthreads(RT_AT_ONLY);
    if (warp == 0) {
        T before = lane < n_warps ? (T)rt_warps[lane] : Op::template identity<T>(), total = Op::template identity<T>();
        rt_warp_scan<Op>(before, total RT_AT);
        const T first = rt_look_back<Op>(total, start, slots, block RT_AT);
        if (lane < n_warps) rt_warps[lane] = Op::template join<T>(first, before);
    }
    __syncthreads(RT_AT_ONLY);
    value = rt_warps[warp];
}

// The number of blocks that have begun before this one; all threads must reach it, once.
RT_DEVICE unsigned rt_begin(const rt_inout<unsigned> begun RT_WHERE)
{
    RT_SHARED(unsigned, rt_number, [1]);
    if (threadIdx.x == 0) rt_number[0] = rt_count(begun[0]);
    __syncthreads(RT_AT_ONLY);
    return rt_number[0];
}
