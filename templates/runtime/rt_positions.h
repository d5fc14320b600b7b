// Choices of a call for a launch: positions of 32 bits or of 64, which take twice the instructions, and its blocks.
#pragma once

#include <initializer_list>

#include "rt_base.h"

namespace rt {

// Test that 32 bits hold all positions of a kernel: the sum of these products, if no factor is negative, is as large as any.
inline bool fit_in_32_bits(const std::initializer_list<std::initializer_list<long>> products)
{
    long sum = 0;
    for (const std::initializer_list<long> &factors : products) {
        long product = 1;
        bool wraps = false, is_zero = false;
        for (const long factor : factors) {
            if (factor < 0) return false;
            is_zero |= factor == 0;
            wraps |= __builtin_mul_overflow(product, factor, &product);
        }
        if (is_zero) continue;
        if (wraps || product > __INT_MAX__ - sum) return false;
        sum += product;
    }
    return true;
}

// A kernel compiled for positions of 32 bits and of 64, and which of both a call takes.
template <class F, class G> struct instances {
    const bool is_short;
    F *in_32_bits;
    G *in_64_bits;
};
template <class F, class G>
instances<F, G> by_positions(const std::initializer_list<std::initializer_list<long>> products, F *in_32_bits, G *in_64_bits)
{
    static const char *const bits = env("RTCUDA_POSITIONS");
    static const bool always_long = bits && strcmp(bits, "64") == 0;
    return {!always_long && fit_in_32_bits(products), in_32_bits, in_64_bits};
}

// A kernel compiled for positions of 32 bits alone; `rtcuda tune` has such, for one call.
template <class F> F *in_32_bits(const std::initializer_list<std::initializer_list<long>> products, F *const kernel)
{
    if (!fit_in_32_bits(products))
        fail({"rt::in_32_bits", __FILE__, __LINE__}, "a kernel's positions do not fit into 32 bits", "convert it for all calls");
    return kernel;
}

// Time of blocks that are dealt out to so many places of the device beside that of as many for each, as a factor.
inline double unbalanced_by(const long blocks, const long places)
{
    return blocks > 0 ? (double)(places * rt_ceildiv(blocks, places)) / (double)blocks : 1;
}
// Blocks of a kernel beside those of another size, which do the same work in `times` the time, where processors run `at_once` of
// the first in the time of one.
struct beside {
    double times;
    long at_once;
};
// Test that so many blocks take no longer than so many others in their place.
inline bool fills(const long blocks, const long others, const beside of)
{
    return unbalanced_by(blocks, of.at_once * processors()) <= of.times * unbalanced_by(others, processors());
}
// The same of blocks that have more or less to do: as many as are dealt out one by one, when others end.
inline bool fills_unevenly(const long blocks)
{
    return blocks >= 5 * processors();
}

} // namespace rt
