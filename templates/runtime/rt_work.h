// Test that a call is worth asking a device for: what one core of the host would do in it, beside what passes before a device
// can have done anything, and beside the start of CUDA.
#pragma once

#include <initializer_list>

#include "rt_costs.h"
#include "rt_reach.h"
#include "rt_stay_rows.h"

namespace rt {

// Check mode compares regions with their originals: it gives a region copies of what the loops touch.
inline bool is_compared = false;

// Statements that a core of the host runs in a call: operations and accesses of one, how often the loops around it run,
// and of how many such runs they make one.
struct runs {
    double operations, accesses;
    std::initializer_list<long> counts;
    double one_of = 1, at_once = 1;

    // Of one, in operations and in accesses to memory, where several are done at once.
    double far_accesses() const { return accesses * rt_min(costs::far_at_once / at_once, 1.0); }
};

// How often statements run in loops that do so often.
inline double product(const std::initializer_list<long> counts)
{
    double times = 1;
    for (const long count : counts) times *= count > 0 ? (double)count : 0;
    return times;
}

// Time that a device waits, in loops that run so often.
struct waits {
    double ns;
    std::initializer_list<long> counts;
};

inline span bytes_of(const void *const host, const long first, const long last, const size_t element_bytes)
{
    return {(const char *)host + first * (long)element_bytes, (const char *)host + last * (long)element_bytes};
}

// Elements of an array of the host's, copied to the device or from it. Without a size of an element: some, nobody knows which,
// where there is one at all.
struct copies {
    const void *host;
    long first, last;
    size_t element_bytes;
    bool is_out;

    // Test that the host may do the call: nothing of it has to come home, and nothing is to be forgotten.
    bool is_apart() const
    {
        if (first >= last) return true;
        const span all = element_bytes ? bytes_of(host, first, last, element_bytes) : reach::block_around(host);
        return all.is_some() && rt::is_apart(all, is_out);
    }
};

// Test that a core is done with a call, all its data in memory, before a device that waits and copies so much could be: then
// nothing else is asked. Not where the host may have to wait for arrays that are left on the device.
inline bool is_little(const std::initializer_list<waits> all_waits, const std::initializer_list<copies> all_copies,
                      const std::initializer_list<runs> all)
{
    if (is_compared || (looks_at_all && (chosen.of_all != choice::shuffle || chosen.by_chance()))) return false;
    double host_ns = 0, device_ns = costs::call_ns;
    for (const runs &r : all) {
        host_ns += product(r.counts) / r.one_of * (r.operations / r.at_once * costs::operation_ns + r.far_accesses() * costs::far_access_ns);
    }
    for (const waits &w : all_waits) device_ns += w.ns * product(w.counts);
    if (stays.empty()) device_ns += (double)all_copies.size() * costs::copy_ns; // nothing is there already
    if (host_ns >= device_ns && chosen.of_all != choice::shuffle) return false;
    if (stays.empty()) return true;
    const turn taken;
    for (const copies &c : all_copies)
        if (!c.is_apart()) return false;
    note_apart();
    return true;
}

// What one core of the host would do in a call, beside what passes before a device can have done anything: estimates, that
// tell calls by their magnitude (rt_costs.h).
class work {
public:
    // Test that the device has begun, or what calls would have saved on one by now pays for its start: a program that ends
    // before that has lost nothing, and any other at most as much again. Most of the way there the start is begun meanwhile: a
    // program that ends then waits for it.
    static bool pays_for_start(const call_times &call, patience &of_region, const char *const region)
    {
        if (has_begun) return true;
        of_region.hope(rt_max(call.saved(), 0.0), region);
        const double saved = patience::hoped_by_all, enough = costs::doubt * costs::start_ns;
        if (saved >= enough * 0.75 && saved < enough) begin_meanwhile();
        return saved >= enough;
    }
    // Test that the device is set up.
    inline static bool has_begun = false;

    // Launches and barriers of a device, in loops that run so often.
    void wait(const double ns, const std::initializer_list<long> counts) { device_ns += ns * product(counts); }
    // Statements in loops that run so often, or of whose iterations one of so many is there, and several are done at once.
    void run(const double operations, const double accesses, const std::initializer_list<long> counts, const double one_of = 1,
             const double at_once = 1)
    {
        const runs all{operations, accesses, counts, one_of, at_once};
        const double times = product(counts) / one_of;
        n_operations += times * operations / at_once;
        n_accesses += times * accesses / at_once, n_far_accesses += times * all.far_accesses();
    }
    // A copy of elements [first, last) of an array of the host's. What is on the device already is not copied, and what the
    // host has not, it would wait for. What cannot stay comes by each call.
    void copy_in(const void *host, const long first, const long last, const size_t element_bytes)
    {
        if (first >= last) return;
        const span all = bytes_of(host, first, last, element_bytes);
        double there = 0;
        stays.each(all, [&](const class stay &s) { there += (double)s.valid_bytes(all); });
        const double bytes = (double)(all.last - all.first);
        touched.push_back({all, false});
        reached += bytes;
        if (bytes > there) (rt::may_stay(host) ? to_device_ns : device_ns) += time_of_copy(bytes - there);
        wait_for(all);
    }
    void copy_out(const void *host, const long first, const long last, const size_t element_bytes)
    {
        if (first >= last) return;
        const span all = bytes_of(host, first, last, element_bytes);
        const double bytes = (double)(all.last - all.first);
        touched.push_back({all, true});
        reached += bytes;
        device_ns += time_of_copy(bytes);
    }
    // Elements that are written, and stay for as long as the host leaves it alone: then it pays for that (rt_patience.h).
    void may_stay(const void *host, const long first, const long last, const size_t element_bytes)
    {
        if (first >= last) return;
        if (!guards) return copy_out(host, first, last, element_bytes);
        const span all = bytes_of(host, first, last, element_bytes);
        touched.push_back({all, true});
        reached += (double)(all.last - all.first);
        wait_for(all);
    }
    // All that some accesses may be in, beside what is copied for them: subscripts that only the data know are held to that
    // on the device, but not on the host.
    void reach_all(const span &all, const bool writes) { touched.push_back({all, writes}); }
    // What is written there, and stays on the device.
    void stay(const void *host, const long first, const long last, const size_t element_bytes)
    {
        if (first >= last) return;
        const span all = bytes_of(host, first, last, element_bytes);
        overwritten.push_back(all);
        reached += (double)(all.last - all.first);
        double there = 0;
        stays.each(all, [&](const class stay &s) { there += (double)s.valid_bytes(all); });
        if (there > 0) wait_ns += time_of_copy(there); // on its way back, if the host writes it
    }
    // Of rows, which lie wherever pointers lead: for the host all comes home. What is there is known by the table.
    void copy_rows(const void *const table, const long first, const long last, const size_t element_bytes)
    {
        bool is_there = false;
        for (class stay *const s : stays) {
            const stay_of_rows *const rows = dynamic_cast<stay_of_rows *>(s);
            is_there |= rows && rows->table == table;
        }
        if (!is_there && first < last) to_device_ns += time_of_copy(((double)last - (double)first) * (double)element_bytes);
        stay_rows(first, last, element_bytes);
    }
    void stay_rows(const long first, const long last, const size_t element_bytes)
    {
        if (first >= last) return;
        reached += ((double)last - (double)first) * (double)element_bytes;
        if (is_anything) return;
        is_anything = true;
        touched.push_back({everywhere, true});
        wait_for(everywhere);
        for (const class stay *const s : stays) wait_ns += time_of_copy((double)s->valid_bytes(everywhere)); // on its way back
    }
    // The host does it. What is not copied in and stays is all written: it need not come home before. What is, does, closed pages
    // or not: as soon as the host has written to a page, nothing of it is wanted from the device.
    void leave() const
    {
        for (const use &u : touched) host_may_use(u.all, u.writes);
        for (const span &all : overwritten) {
            bool is_read = false;
            for (const use &u : touched) is_read |= common(u.all, all).is_some();
            if (is_read)
                host_uses(all, true);
            else
                forget(all);
        }
    }
    // Time of one core of the host, and until it has what is on the device; of a device that has begun; of copies to it.
    call_times times() const
    {
        const double access_ns =
            reached > costs::cache_bytes ? n_far_accesses * costs::far_access_ns : n_accesses * costs::access_ns;
        return {n_operations * costs::operation_ns + access_ns, wait_ns, device_ns, to_device_ns};
    }

private:
    struct use {
        span all;
        bool writes;
    };
    list<use> touched;
    list<span> overwritten;
    bool is_anything = false; // that the host may touch
    double device_ns = costs::call_ns, to_device_ns = 0, n_operations = 0, n_accesses = 0, n_far_accesses = 0, reached = 0, wait_ns = 0;

    void wait_for(const span &all)
    {
        double newer = 0;
        bool faults = false;
        stays.each(all, [&](const class stay &s) {
            newer += (double)s.newer_bytes(all);
            faults |= s.is_guarded() && s.newer_bytes(all) > 0;
        });
        if (newer > 0) wait_ns += time_of_copy(newer) + (faults ? costs::fault_ns : 0);
    }
};

} // namespace rt
