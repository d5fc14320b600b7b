// Account of a region that goes to a device, as far as copies are concerned: to it, and home again when the host wants what a
// call has left there.
#pragma once

#include "rt_base.h"
#include "rt_costs.h"
#include "rt_measured.h"

namespace rt {

inline double time_of_copy(const double bytes)
{
    const bool is_staged = bytes >= costs::staged_bytes;
    return costs::copy_ns + (is_staged ? costs::staged_ns + bytes / costs::staged_bytes_a_ns : bytes / costs::bytes_a_ns);
}

// Calls of a region that stay because of copies. Nobody knows whether the program leaves arrays alone that stay on the device:
// if so, copies to it are made once, and none are made home. A call goes when it saves more than its copies to the device take,
// as long as the region owes nothing; else when those that stayed would have saved as much as the copies and the debt, had the
// arrays been there and been left alone: what is risked is what was lost already (rent or buy: Karlin, Manasse, Rudolph and
// Sleator 1988). Where that was in vain, the next waits for twice as much. Times are estimates until calls were measured
// (rt_measured.h), copies home apart: those are charged as they come.
class patience {
    double missed = 0; // ns that calls would have saved which stayed
    double owed = 0;   // ns that those which went have lost, or less than none
    double risked = 0; // of these, ns that copies to the device took, which later calls are to earn
    double times = 1;
    bool has_gone = false;
    double gained = 0;            // by the last call that went
    long n_refused = 0, n_unasked = 0; // calls that the device could not do, in a row; and those that are not asked for it
    double hoped = 0;                  // ns that calls would have saved before the device has begun
    const char *const within;          // the region that has all calls of this one in it
    long number = -1;                  // of its name, once it is asked

    // Regions by name, and whether what the original does of the last call is hoped for.
    struct asked {
        const char *region;
        bool is_hoped;
    };
    inline static list<asked> all;
    static asked *of(const char *const name)
    {
        for (asked &a : all)
            if (!strcmp(a.region, name)) return &a;
        return nullptr;
    }

public:
    measured of_calls;

    explicit patience(const char *const within = nullptr)
        : within(within)
    {
    }
    patience(const patience &) = delete;

    // The same of all regions: it begins for them together.
    inline static double hoped_by_all = 0;
    void hope(const double saved_ns, const char *const name)
    {
        if (number < 0) number = (long)all.size(), all.push_back({name, false});
        if (n_unasked > 0) return (void)n_unasked--;
        const asked *const around = within ? of(within) : nullptr;
        if (around && around->is_hoped) return;
        all[number].is_hoped = true;
        hoped += saved_ns, hoped_by_all += saved_ns;
    }
    // A device cannot do this call of a region, whatever it saves: those within it may be.
    static void refuse(const char *const name)
    {
        if (asked *const a = of(name)) a->is_hoped = false;
    }

    // A copy home of what a call has left on the device took so many ns.
    void pay(const double ns) { owed += ns; }

    // The last call that went could not be done there: what it would touch overlaps, or nobody knows how far it goes. Each such
    // call brings home all that is left on the device. Twice as many as the last time are not asked.
    void withdraw()
    {
        owed += gained;
        hoped_by_all -= hoped, hoped = 0;
        n_unasked = 1l << rt_min(n_refused++, 20);
    }
    void succeed() { n_refused = 0; }

    // Test that a call goes, which saves so much once its arrays are there.
    bool is_over(const call_times &call)
    {
        if (n_unasked > 0) return n_unasked--, false;
        if (is_over(call.saved(), call.to_device)) return !strays(call);
        return false;
    }

private:
    // Test that a call that only goes because its arrays are on the device had better bring them home: when calls like it in
    // a row have lost by it what the way home and back takes.
    static bool strays(const call_times &call)
    {
        static double lost_ns = 0;
        if (call.host >= call.device) return lost_ns = 0, false;
        lost_ns += call.device - call.host;
        if (lost_ns < 2 * call.wait) return false;
        return lost_ns = 0, true;
    }
    bool is_over(const double saved_ns, const double copies_ns)
    {
        gained = saved_ns - copies_ns;
        const double debt = owed > 0 ? owed : 0;
        if (copies_ns <= saved_ns && debt <= 2 * risked) {
            owed -= gained;
            return true;
        }
        if (has_gone) times = owed > 0 ? 2 * times : 1;
        has_gone = false;
        if (saved_ns <= 0) return false;
        missed += saved_ns;
        if (missed < times * (copies_ns + (debt > risked ? debt : 0))) return false;
        missed = 0, risked = owed = rt_max(-gained, 0.0);
        return has_gone = true;
    }
};

} // namespace rt
