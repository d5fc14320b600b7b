// Columns of a sparse matrix in 16 bits, by the distance of each from the one before it in its row. (Kourtis, Goumas and
// Koziris, "Optimizing sparse matrix-vector multiplication using index and value compression", Computing Frontiers 2008.)
#pragma once

#include "rt_row_pattern.h"

// Where the columns of a row are counted from, its first being so far before the row's own number at most. None is negative.
RT_BOTH long rt_columns_begin(const long row, const long reach) { return rt_max(row - reach, 0); }

// How far rows begin before their own number at most, the least and the greatest distance of an entry from the one before it.
template <class P, class C>
RT_KERNEL void rt_column_steps(const long rows, const rt_in<P> start, const long first, const rt_in<C> column,
                               const rt_inout<long> facts)
{
    long reach = rt_max_op::identity<long>(), least = rt_min_op::identity<long>(), most = rt_max_op::identity<long>();
    for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += (long)gridDim.x * blockDim.x) {
        const long row = first + i, end = (long)start[row + 1];
        long k = (long)start[row];
        if (k == end) continue;
        long before = (long)column[k];
        reach = rt_max(reach, row - before);
        for (k++; k < end; k++) {
            const long at = (long)column[k];
            least = rt_min(least, at - before);
            most = rt_max(most, at - before);
            before = at;
        }
    }
    reach = rt_block_reduce<rt_max_op>(reach);
    least = rt_block_reduce<rt_min_op>(least);
    most = rt_block_reduce<rt_max_op>(most);
    if (threadIdx.x == 0) {
        rt_atomic<rt_max_op>(facts[0], reach);
        rt_atomic<rt_min_op>(facts[1], least);
        rt_atomic<rt_max_op>(facts[2], most);
    }
}

// The distances, each less the least; `fit` becomes 0 where one does not fit.
template <class P, class C>
RT_KERNEL void rt_short_columns(const long rows, const rt_in<P> start, const long first, const rt_in<C> column,
                                const long reach, const long least, const rt_inout<int> fit,
                                const rt_out<unsigned short> to)
{
    bool fits = true;
    for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += (long)gridDim.x * blockDim.x) {
        const long row = first + i, end = (long)start[row + 1];
        long before = rt_columns_begin(row, reach) - least;
        for (long k = (long)start[row]; k < end; k++) {
            const long at = (long)column[k], step = at - before - least;
            fits = fits && step >= 0 && step <= 65535;
            to[k] = (unsigned short)step;
            before = at;
        }
    }
    if (!fits) rt_atomic<rt_min_op>(fit[0], 0);
}

namespace rt {

// Writes the columns of rows [first, last) in 16 bits each, where those have room; returns whether all of them fit, and how
// to read them: a row's first from rt_columns_begin(row, reach) on, each other one from that before it, both plus `least`.
template <class P, class C, class L>
long shorten_columns(region &owner, const int line, array<P> &start, const long first, const long last, array<C> &column,
                     array<unsigned short> &to, long &reach, L &least)
{
    reach = least = 0;
    const long rows = last - first;
    if (rows <= 0 || to.size() == 0) return 0;
    const pattern &p = pattern_of(owner, line, walked<P>{start, first}, rows, false);
    if (!p.in_order || p.first < 0 || p.last > column.size() || p.last > to.size()) return 0;
    long known[3] = {rt_max_op::identity<long>(), rt_min_op::identity<long>(), rt_max_op::identity<long>()};
    array<long> facts(owner, "distances of columns", known, 3);
    facts.copy_in(0, 3);
    const rt_size3 grid = rt_dims(rt_min(rt_ceildiv(rows, 256), 1024)), block = rt_dims(256);
    owner.launch("rt_column_steps", line, rt_column_steps<P, C>, grid, block, rows, start, first, column, facts);
    facts.copy_out(0, 3);
    // Rows of no entries, and of one, have no distances.
    if (p.entries() == 0) return 0;
    const bool has_steps = known[1] <= known[2];
    constexpr long farthest = 1L << 30;
    if (has_steps && (known[1] < -farthest || known[1] > farthest || known[2] > known[1] + 65535)) return 0;
    if (known[0] < -farthest) return 0;
    reach = known[0];
    least = has_steps ? (L)known[1] : 0;
    int all = 1;
    array<int> fit(owner, "columns that fit", &all, 1);
    fit.copy_in(0, 1);
    owner.launch("rt_short_columns", line, rt_short_columns<P, C>, grid, block, rows, start, first, column, reach,
                 has_steps ? known[1] : 0, fit, to);
    return fit.element(0);
}

} // namespace rt
