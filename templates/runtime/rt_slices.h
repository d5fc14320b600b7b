// Rows of a sparse matrix in slices: the entries of 32 rows lie in turns, so that the threads of a warp, a row each, read
// neighbours. (Sliced ELL: Monakov, Lokhmotov and Avetisyan, HiPEAC 2010.)
#pragma once

#include "rt_prefix.h"

// The entries of a row; none of one that is not inside the arrays, which the program then does not read either.
template <class I> RT_DEVICE long rt_row_length(const rt_in<I> start, const long row, const long most)
{
    const long first = start[row], end = start[row + 1];
    return first < 0 || end < first || end > most ? 0 : end - first;
}

// How much each slice takes, at slices[1 ..]: as much as its longest row, for each of its rows.
template <class I>
RT_KERNEL void rt_slice_sizes(const long first, const long last, const rt_in<I> start, const long most,
                              const rt_out<long> slices)
{
    const long slice = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (first + 32 * slice >= last) return;
    long longest = 0;
    for (long row = first + 32 * slice; row < last && row < first + 32 * (slice + 1); row++)
        longest = rt_max(longest, rt_row_length<I>(start, row, most));
    slices[1 + slice] = 32 * longest;
}

// Where each slice begins; and at slices[0] how far the entries of a row are apart: 32, or 1 where slices have no room.
RT_KERNEL void rt_slice_starts(const long n_slices, const long room, const rt_inout<long> slices)
{
    const long all = rt_prefix_by_block<long>(n_slices, slices, 1);
    if (threadIdx.x == 0) slices[0] = all <= room ? 32 : 1;
}

template <class I, class T>
RT_KERNEL void rt_slice_entries(const long first, const long last, const rt_in<I> start, const long most,
                                const rt_in<long> slices, const rt_in<T> from, const rt_out<T> to)
{
    const long row = first + (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= last) return;
    const long own = row - first, n = rt_row_length<I>(start, row, most), at = slices[1 + own / 32] + own % 32;
    for (long k = 0; k < n; k++) to[at + 32 * k] = from[start[row] + k];
}

namespace rt {

template <class I> void slice_entries(region &, int, array<I> &, long, long, long, array<long> &) {}
template <class I, class T, class... Rest>
void slice_entries(region &owner, const int line, array<I> &start, const long first, const long last, const long most,
                   array<long> &slices, array<T> &from, array<T> &to, Rest &...rest)
{
    constexpr long threads = 128;
    owner.launch("rt_slice_entries", line, rt_slice_entries<I, T>, rt_dims(rt_ceildiv(last - first, threads)),
                 rt_dims(threads), first, last, start, most, slices, from, to);
    slice_entries(owner, line, start, first, last, most, slices, rest...);
}

// The fewest elements of arrays that lie in pairs, entries and where their copies go: of the former, of the latter.
template <class T, class... Rest> long fewest_entries(array<T> &from, array<T> &, Rest &...rest)
{
    if constexpr (sizeof...(rest) == 0) return from.size();
    else return rt_min(from.size(), fewest_entries(rest...));
}
template <class T, class... Rest> long fewest_copies(array<T> &, array<T> &to, Rest &...rest)
{
    if constexpr (sizeof...(rest) == 0) return to.size();
    else return rt_min(to.size(), fewest_copies(rest...));
}

template <class T, class... Rest> void lend_entries(array<T> &from, array<T> &to, Rest &...rest)
{
    to.device.borrow(from.device);
    if constexpr (sizeof...(rest) > 0) lend_entries(rest...);
}

// Lays the entries of rows [first, last) out in slices; they are used as they are where there is no room.
template <class I, class... Entries>
void slice_rows(region &owner, const int line, array<I> &start, const long first, const long last, array<long> &slices,
                Entries &...entries)
{
    constexpr long threads = 128;
    const long most = fewest_entries(entries...), room = fewest_copies(entries...);
    const long n_slices = rt_ceildiv(rt_max(last - first, 0), 32);
    owner.launch("rt_slice_sizes", line, rt_slice_sizes<I>, rt_dims(rt_ceildiv(n_slices, threads)), rt_dims(threads), first,
                 last, start, most, slices);
    owner.launch("rt_slice_starts", line, rt_slice_starts, rt_dims(1), rt_dims(rt_prefix_threads), n_slices, room, slices);
    // Rows as they are need no copy.
    if (room < most || slices.element(0) == 1)
        lend_entries(entries...);
    else
        slice_entries(owner, line, start, first, last, most, slices, entries...);
}

} // namespace rt
