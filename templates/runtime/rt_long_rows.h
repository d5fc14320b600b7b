// Long rows of a sparse matrix in pieces, each of which a warp sums up: a thread that has a row, of which some are far longer than
// the others, adds up what warps made of its pieces. (Warps for longer rows: Bell and Garland, "Implementing sparse matrix-vector
// multiplication on throughput-oriented processors", SC 2009; rows over several of them: Greathouse and Daga, "Efficient sparse
// matrix-vector multiplication on GPUs using the CSR storage format", SC 2014.)
#pragma once

#include "rt_prefix.h"
#include "rt_row_pattern.h"

namespace rt {

// The entries of a row that its thread sums up itself, the fewest of a piece of a row that has several, and the most pieces
// of a row, which its thread adds up.
inline constexpr long row_of_thread = 32, shortest_piece = 512, pieces_of_row = 128;

} // namespace rt

RT_BOTH long rt_piece_length(const long entries)
{
    return rt_max(rt::shortest_piece, rt_ceildiv(entries, rt::pieces_of_row));
}
RT_BOTH int rt_pieces_of(const long entries)
{
    return entries <= rt::row_of_thread ? 0 : (int)rt_ceildiv(entries, rt_piece_length(entries));
}

// Of each row the pieces of the rows before it in its block, and the pieces of each block's rows.
template <class P>
RT_KERNEL void rt_count_pieces(const long rows, const rt_in<P> start, const long first, const rt_inout<int> before,
                               const rt_out<int> blocks)
{
    const long begin = (long)blockIdx.x * blockDim.x, row = begin + threadIdx.x;
    if (row < rows) before[row] = rt_pieces_of((long)start[first + row + 1] - (long)start[first + row]);
    const int all = rt_prefix_by_block<int>(rt_min(rows - begin, blockDim.x), before, begin);
    if (threadIdx.x == 0) blocks[blockIdx.x] = all;
}

// The pieces of the blocks before each, and behind the last one of all of them.
RT_KERNEL void rt_pieces_before(const long n_blocks, const rt_inout<int> blocks)
{
    const int all = rt_prefix_by_block<int>(n_blocks, blocks, 0);
    if (threadIdx.x == 0) blocks[n_blocks] = all;
}

// Where pieces begin and end, and how many there are before each row.
template <class P>
RT_KERNEL void rt_cut_rows(const long rows, const rt_in<P> start, const long first, const rt_inout<int> before,
                           const rt_in<int> blocks, const rt_out<P> from, const rt_out<P> to)
{
    const long row = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const long begin = (long)start[first + row], end = (long)start[first + row + 1], length = rt_piece_length(end - begin);
    const int piece = before[row] + blocks[blockIdx.x], pieces = rt_pieces_of(end - begin);
    before[row] = piece;
    if (row == rows - 1) before[rows] = piece + pieces;
    for (int k = 0; k < pieces; k++) {
        from[piece + k] = (P)(begin + k * length);
        to[piece + k] = (P)rt_min(begin + (k + 1) * length, end);
    }
}

namespace rt {

// Cuts the long ones of rows [first, last) in pieces. Returns how many pieces there are; none where a thread for each row is
// the best there is, and where the arrays have no room for what the numbers say, which the program then does not read either.
template <class P>
long cut_long_rows(region &owner, const int line, array<P> &start, const long first, const long last, array<int> &before,
                   array<P> &from, array<P> &to)
{
    constexpr long threads = 128;
    const long rows = last - first;
    if (rows <= 0) return 0;
    const pattern &p = pattern_of(owner, line, walked<P>{start, first}, rows, false);
    if (!p.in_order || rows_suit_threads(p) || p.entries() / row_of_thread > from.size()) return 0;
    const long n_blocks = rt_ceildiv(rows, threads);
    const rt_size3 grid = rt_dims(n_blocks), block = rt_dims(threads);
    array<int> blocks(owner, "pieces of blocks", nullptr, n_blocks + 1);
    owner.launch("rt_count_pieces", line, rt_count_pieces<P>, grid, block, rows, start, first, before, blocks);
    owner.launch("rt_pieces_before", line, rt_pieces_before, rt_dims(1), rt_dims(rt_prefix_threads), n_blocks, blocks);
    owner.launch("rt_cut_rows", line, rt_cut_rows<P>, grid, block, rows, start, first, before, blocks, from, to);
    return before.element(rows);
}

} // namespace rt
