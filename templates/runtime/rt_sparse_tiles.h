// Products of a sparse matrix whose rows are many and uneven: blocks have about as many entries each, not as many rows. A tile
// of entries goes to a block, whose threads share out the rows in it. A tile ends where a row does, or within one that goes
// on for long: this is summed up by the block that comes last of those that have a part of it, in the order of the tiles,
// whichever block that is.
//
// (After Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication", SC 2016, and the row blocks of
// Greathouse and Daga, "Efficient sparse matrix-vector multiplication on GPUs using the CSR storage format", SC 2014.)
#pragma once

#include "rt_runtime.h"
#include "rt_update.h"

namespace rt {

// The entries of a tile, by how many more it may have to end where a row does, and the threads of its block; rows with more
// entries in a tile than `thread_entries` take a warp. (Measured on an H200, rows by a power law: 512 entries are as fast as
// 1,024 or faster; to count the parts of a row costs more than the unevenness.) Loads begin at a multiple of `tile_line`
// entries, so that a warp's are of whole sectors: what limits these products is how many sectors the L2 cache sends.
inline constexpr int tile_line = 32, tile_entries = 512, tile_more = 256 - tile_line, tile_threads = 128;
inline constexpr int tile_most = tile_entries + tile_more, thread_entries = 32;

} // namespace rt

// The first entry of each tile and the first row that begins there or later; behind the last tile, their numbers. No part of a
// row has arrived.
template <class T, class P>
RT_KERNEL void rt_tile_rows(const long tiles, const long vectors, const long rows, const long entries, const rt_in<P> start,
                            const long start_first, const rt_out<long> row_of_tile, const rt_out<long> first_of_tile,
                            const rt_out<rt_word<T>> parts, const rt_out<unsigned> arrived)
{
    const long tile = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (tile > tiles) return;
    const long wanted = tile * rt::tile_entries, all = (long)start[start_first];
    long low = 0, high = rows;
    while (tile < tiles && low < high) {
        const long middle = low + (high - low) / 2;
        if ((long)start[start_first + middle] - all < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    row_of_tile[tile] = tile < tiles ? low : rows;
    const long next = tile < tiles ? (long)start[start_first + low] - all : entries;
    first_of_tile[tile] = next - wanted <= rt::tile_more ? next : wanted;
    if (tile == tiles) return;
    for (long j = tile * vectors; j < (tile + 1) * vectors; j++) {
        parts[2 * j] = parts[2 * j + 1] = rt_nothing<T>();
        arrived[j] = 0;
    }
}

// What a tile has of a row: entries [from, to), counted from the tile's first one; whether others have more of it; whether its
// result, once it is summed up, is for this tile to write.
struct rt_share {
    int from, to;
    bool is_part, is_here;
};

// Rows from the one before `first_row`, which may go on in the tile, up to `end_row`; of others nothing is here.
template <class P>
RT_DEVICE rt_share rt_share_of(const long row, const long first_row, const long end_row, const long first, const int count,
                               const rt_in<P> start, const long start_first)
{
    if (row < 0 || row >= end_row) return {0, 0, false, false};
    const long begin = (long)start[start_first] + first;
    const long before = (long)start[start_first + row] - begin, end = (long)start[start_first + row + 1] - begin;
    const int from = (int)rt_max(before, 0), to = (int)rt_min(end, count);
    return {from, to, from < to && (before < 0 || end > count), from < to || row >= first_row};
}

// All lanes of a warp call it, each with a tile's part of a row's sum, or none. Whether it is the last part that the row
// waited for: `sum` is the row's, then.
template <class T, class P>
RT_DEVICE bool rt_sum_parts(T &sum, const bool is_part, const long row, const long tile, const long j, const long vectors,
                            const rt_in<P> start, const long start_first, const rt_exchanged<rt_word<T>> parts,
                            const rt_exchanged<unsigned> arrived)
{
    if (__ballot_sync(~0u, is_part) == 0) return false;
    long first = 0, last = 0;
    bool is_last = false;
    if (is_part) {
        const long all = (long)start[start_first], end = (long)start[start_first + row + 1] - all;
        first = ((long)start[start_first + row] - all) / rt::tile_entries;
        last = (end - 1 - rt::tile_more) / rt::tile_entries;
        rt_leave<T>(parts[(2 * tile + (tile == first)) * vectors + j], sum);
        is_last = rt_is_last(arrived[first * vectors + j], last - first + 1);
    }
    unsigned todo = __ballot_sync(~0u, is_last);
    for (; todo != 0; todo &= todo - 1) {
        const int who = __ffs(todo) - 1, lane = threadIdx.x % 32;
        const long from = __shfl_sync(~0u, first, who), to = __shfl_sync(~0u, last, who), at = __shfl_sync(~0u, j, who);
        T total = 0;
        for (long t = from + lane; t <= to; t += 32) total += rt_take<T>(parts[(2 * t + (t == from)) * vectors + at]);
        for (unsigned d = 16; d > 0; d /= 2) total += __shfl_xor_sync(~0u, total, d);
        if (lane == who) sum = total;
    }
    return is_last;
}

// A tile of entries a block, of one vector.
template <class T, class P, class I>
RT_KERNEL void RT_THREADS(rt::tile_threads, 12) rt_sparse_tiles(
     const rt_in<P> start, const long start_first, const rt_in<I> column, const long column_first, const rt_in<T> value,
     const long value_first, const rt_in<long> row_of_tile, const rt_in<long> first_of_tile, const T alpha,
     const rt_in<T> x, const long x_first, const long x_row, const bool overwritten, const T beta, const rt_inout<T> y,
     const long y_first, const long y_row, const rt_exchanged<rt_word<T>> parts, const rt_exchanged<unsigned> arrived)
{
    constexpr int threads = rt::tile_threads, each = (rt::tile_most + rt::tile_line) / threads;
    RT_SHARED(T, products, [rt::tile_most]);
    const long tile = blockIdx.x, first_row = row_of_tile[tile], end_row = row_of_tile[tile + 1];
    const long first = first_of_tile[tile], begin = (long)start[start_first] + first;
    const int count = (int)(first_of_tile[tile + 1] - first), me = threadIdx.x, lane = me % 32;
    const int mine = me - (int)((value_first + begin) % rt::tile_line);
    long row = first_row - 1 + me;
    // All loads before what waits for them, so that they are on their way together.
    T own[each];
    I columns[each];
    RT_UNROLL
    for (int k = 0; k < each; k++) {
        const int p = mine + k * threads;
        if (p >= 0 && p < count)
            columns[k] = column[column_first + begin + p], own[k] = value[value_first + begin + p];
    }
    rt_share share = rt_share_of<P>(row, first_row, end_row, first, count, start, start_first);
    RT_UNROLL
    for (int k = 0; k < each; k++) {
        const int p = mine + k * threads;
        if (p >= 0 && p < count) own[k] *= x[x_first + (long)columns[k] * x_row];
    }
    RT_UNROLL
    for (int k = 0; k < each; k++) {
        const int p = mine + k * threads;
        if (p >= 0 && p < count) products[p] = own[k];
    }
    __syncthreads();
    for (long left = end_row - first_row + 1; left > 0; left -= threads) {
        T sum = 0;
        const bool is_long = share.to - share.from > rt::thread_entries;
        for (int p = share.from; !is_long && p < share.to; p++) sum += products[p];
        for (unsigned todo = __ballot_sync(~0u, is_long); todo != 0; todo &= todo - 1) {
            const int who = __ffs(todo) - 1;
            const int from = __shfl_sync(~0u, share.from, who), to = __shfl_sync(~0u, share.to, who);
            T part = 0;
            for (int p = from + lane; p < to; p += 32) part += products[p];
            for (unsigned d = 16; d > 0; d /= 2) part += __shfl_xor_sync(~0u, part, d);
            if (lane == who) sum = part;
        }
        const bool is_last = rt_sum_parts<T, P>(sum, share.is_part, row, tile, 0, 1, start, start_first, parts, arrived);
        if (share.is_here && (is_last || !share.is_part))
            rt_update(y, y_first + row * y_row, overwritten, beta, alpha * sum);
        row += threads;
        share = rt_share_of<P>(row, first_row, end_row, first, count, start, start_first);
    }
}

// The same of several vectors: threads next to each other have the same row of vectors next to each other.
template <class T, class P, class I>
RT_KERNEL void RT_THREADS(rt::tile_threads, 8) rt_sparse_tiles_of_several(
     const long vectors, const rt_in<P> start, const long start_first, const rt_in<I> column,
     const long column_first, const rt_in<T> value, const long value_first, const rt_in<long> row_of_tile, const rt_in<long> first_of_tile,
     const T alpha, const rt_in<T> x, const long x_first, const long x_row, const long x_vector, const bool overwritten,
     const T beta, const rt_inout<T> y, const long y_first, const long y_row, const long y_vector,
     const rt_exchanged<rt_word<T>> parts, const rt_exchanged<unsigned> arrived)
{
    const long tile = blockIdx.x, first_row = row_of_tile[tile], end_row = row_of_tile[tile + 1];
    const long first = first_of_tile[tile], begin = (long)start[start_first] + first;
    const int count = (int)(first_of_tile[tile + 1] - first);
    for (long next = 0; next < (end_row - first_row + 1) * vectors; next += rt::tile_threads) {
        const long row = first_row - 1 + (next + threadIdx.x) / vectors, j = (next + threadIdx.x) % vectors;
        const rt_share share = rt_share_of<P>(row, first_row, end_row, first, count, start, start_first);
        T sum = 0;
        for (long p = begin + share.from; p < begin + share.to; p++)
            sum += value[value_first + p] * x[x_first + (long)column[column_first + p] * x_row + j * x_vector];
        const bool is_last =
            rt_sum_parts<T, P>(sum, share.is_part, row, tile, j, vectors, start, start_first, parts, arrived);
        if (share.is_here && (is_last || !share.is_part))
            rt_update(y, y_first + row * y_row + j * y_vector, overwritten, beta, alpha * sum);
    }
}
