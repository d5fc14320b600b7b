// Products of matrices that the threads of a simulated warp hold together. All of them hand over what they hold of the
// factors, and wait for each other; each then computes its own elements. Products are added by rising k, and rounded: what
// the loop of the C program comes to.
#pragma once

#include "rt_sim_threads.h"

namespace rt_sim {

// Elements of the factors that a lane holds.
struct factors_of_lane {
    double a[2], b;
};

// Those of a warp, twice in turn: a lane that goes on to the next product leaves alone what others are to read of this one.
struct factors_of_warp {
    factors_of_lane lanes[2][32];
    unsigned turn[32];
};
inline rt::list<factors_of_warp> factors;

inline const factors_of_lane *exchange_factors(const factors_of_lane &mine, const rt_where at)
{
    const unsigned warp = now.thread / 32, lane = now.thread % 32;
    while (factors.size() <= warp) factors.push_back({});
    const unsigned turn = factors[warp].turn[lane]++ % 2;
    factors[warp].lanes[turn][lane] = mine;
    warp_exchange(~0u, 0, lane, at);
    return factors[warp].lanes[turn];
}

} // namespace rt_sim

inline void rt_mma_16x8x4(double &c0, double &c1, double &c2, double &c3, const double a0, const double a1,
                          const double b0, const rt_where at = rt_where::here())
{
    const rt_sim::factors_of_lane *const lanes = rt_sim::exchange_factors({{a0, a1}, b0}, at);
    const unsigned lane = rt_sim::now.thread % 32, row = lane / 4 * 4, column = lane % 4 * 8;
    for (unsigned k = 0; k < 4; k++) {
        c0 += lanes[row + k].a[0] * lanes[column + k].b;
        c1 += lanes[row + k].a[0] * lanes[column + 4 + k].b;
        c2 += lanes[row + k].a[1] * lanes[column + k].b;
        c3 += lanes[row + k].a[1] * lanes[column + 4 + k].b;
    }
}
