// Sectors of 32 bytes that the warps of simulated launches touch in global memory, counted where -DRT_SIM_SECTORS asks
// for it: a line at the end for each array of each kernel. An array begins where a sector begins, as on a device. Threads
// of a warp are taken to be at the same access where each has made as many from that line to that array.
#pragma once

#include "rt_sim_shadow.h"

namespace rt_sim {

// Kinds of access, by what becomes of the bytes.
enum class does : unsigned { loads, stores, updates };

} // namespace rt_sim

#ifdef RT_SIM_SECTORS
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace rt_sim {

// The accesses that are counted together: kernel, array, whether they store.
using sector_group = std::tuple<std::string, std::string, bool>;

struct sector_counts {
    // Accesses of a thread, by launch, block, thread, line and group.
    std::map<std::tuple<unsigned, unsigned, unsigned, int, sector_group>, long> made;
    // Sectors that a warp touches at once, by launch, block, warp, line, the how manieth, and group.
    std::map<std::tuple<unsigned, unsigned, unsigned, int, long, sector_group>, std::set<long>> requests;
    // A vector is one access: its elements are not counted again.
    bool is_vector = false;

    void note(const shared_array &array, const long at_byte, const long bytes, const does what, const int line)
    {
        if (array.is_tile || is_vector) return;
        const sector_group group{now.kernel, array.name, what != does::loads};
        const unsigned block = (now.block.z * now.grid_dim.y + now.block.y) * now.grid_dim.x + now.block.x;
        const long nth = made[{now.launch, block, now.thread, line, group}]++;
        auto &sectors = requests[{now.launch, block, now.thread / 32, line, nth, group}];
        for (long s = at_byte / 32; s <= (at_byte + bytes - 1) / 32; s++) sectors.insert(s);
    }
    ~sector_counts()
    {
        std::map<sector_group, std::pair<long, long>> sums;
        for (const auto &[key, sectors] : requests) {
            auto &[count, all] = sums[std::get<5>(key)];
            count++, all += sectors.size();
        }
        for (const auto &[group, sum] : sums)
            printf("sectors %s %s %s %ld %ld\n", std::get<0>(group).c_str(), std::get<1>(group).c_str(),
                   std::get<2>(group) ? "store" : "load", sum.first, sum.second);
    }
};
inline sector_counts sectors_touched;

// Elements of a vector, to the end of a scope.
struct sectors_of_vector {
    sectors_of_vector() { sectors_touched.is_vector = true; }
    ~sectors_of_vector() { sectors_touched.is_vector = false; }
};

} // namespace rt_sim
#define RT_SIM_VECTOR const rt_sim::sectors_of_vector rt_elements
#define RT_SIM_TOUCHES(array, at_byte, bytes, what, line)                                                              \
    rt_sim::sectors_touched.note(array, at_byte, bytes, what, line)
#elif defined RT_SIM_LAUNCHES
#include "rt_sim_launches.h"
#define RT_SIM_VECTOR ((void)0)
#define RT_SIM_TOUCHES(array, at_byte, bytes, what, line) rt_sim::launch_record::note(array, at_byte, bytes, what)
#else
#define RT_SIM_VECTOR ((void)0)
#define RT_SIM_TOUCHES(array, at_byte, bytes, what, line) ((void)(bytes), (void)(what))
#endif
