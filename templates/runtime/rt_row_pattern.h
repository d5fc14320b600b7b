// Knowledge of the rows of a sparse matrix, found once in a region: how long they are, and whether they suit a thread each.
#pragma once

#include "rt_runtime.h"

// The first number, the last one, the greatest and the least step from one to the next: facts of n + 1 numbers.
template <class P>
RT_KERNEL void rt_steps(const long n, const rt_in<P> numbers, const long first, const rt_inout<long> facts)
{
    long longest = rt_max_op::identity<long>(), shortest = rt_min_op::identity<long>();
    for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) {
        const long step = (long)numbers[first + i + 1] - (long)numbers[first + i];
        longest = rt_max_op::join<long>(longest, step);
        shortest = rt_min_op::join<long>(shortest, step);
    }
    longest = rt_block_reduce<rt_max_op>(longest);
    shortest = rt_block_reduce<rt_min_op>(shortest);
    if (threadIdx.x == 0) {
        rt_atomic<rt_max_op>(facts[2], longest);
        rt_atomic<rt_min_op>(facts[3], shortest);
    }
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        facts[0] = (long)numbers[first];
        facts[1] = (long)numbers[first + n];
    }
}

namespace rt {

// Knowledge of a matrix. Of rows and columns: their entries lie in [first, last) and the longest has so many; they are
// in order. Of triplets: whether they are in the order of their rows.
struct pattern : lasting {
    const void *const numbers; // the array that tells where they lie, from `from` on, of so many
    const long from, count;
    const bool is_triplets;
    long first = 0, last = 0, longest = 0;
    bool in_order = false, by_library = true;

    pattern(const void *numbers, const long from, const long count, const bool is_triplets)
        : numbers(numbers), from(from), count(count), is_triplets(is_triplets)
    {
    }
    long entries() const { return last - first; }
};

// Knowledge of n + 1 numbers from `first` on, which nothing in the region changes.
template <class P>
pattern &pattern_of(region &owner, const int line, const walked<P> numbers, const long n, const bool is_triplets)
{
    const auto is_it = [&](const pattern &p) {
        return p.numbers == &numbers.of && p.from == numbers.first && p.count == n && p.is_triplets == is_triplets;
    };
    if (pattern *const before = owner.find<pattern>(is_it)) return *before;
    pattern *const found = owner.keep(new pattern(&numbers.of, numbers.first, n, is_triplets));
    if (n <= 0) return *found;
    long known[4] = {0, 0, rt_max_op::identity<long>(), rt_min_op::identity<long>()};
    array<long> facts(owner, "facts of a matrix", known, 4);
    facts.copy_in(0, 4);
    const long blocks = rt_min(rt_ceildiv(n, 256), 1024);
    owner.launch("rt_steps", line, rt_steps<P>, rt_dims(blocks), rt_dims(256), n, numbers.of, numbers.first, facts);
    facts.copy_out(0, 4);
    found->first = known[0];
    found->last = known[1];
    found->longest = known[2];
    found->in_order = known[3] >= 0;
    return *found;
}

// Test that rows are so short, or so even, that a thread for each is the best there is; in a loop such rows lie in slices.
// (Measured on an H200: rows of 7 entries take two thirds of the library's time.)
inline bool rows_suit_threads(const pattern &p)
{
    constexpr long always = 32, most = 256;
    return p.longest <= always || (p.longest <= most && p.longest * p.count <= 2 * p.entries());
}

// Entries of the longest of rows [first, last), where the others have half as many in the mean; else 0.
template <class P>
long longest_row(region &owner, const int line, array<P> &start, const long first, const long last)
{
    if (last <= first) return 0;
    const pattern &p = pattern_of(owner, line, walked<P>{start, first}, last - first, false);
    return p.in_order && p.longest * p.count <= 2 * p.entries() ? p.longest : 0;
}

} // namespace rt
