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

// Regions that use the same arrays, of which each waits until its own calls have missed what copies take. One that goes alone has its
// arrays sent home by the next, which stays: none of them ever saves what it could if all went. So what calls of any region have
// missed is one account, too. When it is as much as all their arrays take to go there once, all go; that ends when it has lost
// twice as much, and is tried again when four times as much was missed.
class together {
    double missed = 0, wanted = 0; // ns that calls would have saved which stayed; ns to copy the arrays of those that wait
    double owed = 0, risked = 0, times = 1;
    int n_waiting = 0;
    bool is_on = false;

public:
    // A region that waits for so many ns of copies waits for so many now.
    void waits(const double before, const double now)
    {
        wanted += now - before, n_waiting += (now > 0) - (before > 0);
    }
    void pay(const double ns) { owed += ns; }
    // Test that a call goes because all do: it saves something here and now, and wins so much, beside a program that stays at home.
    bool goes(const double saved_ns, const double gained)
    {
        if (!is_on) return false;
        if (owed > 2 * risked) return is_on = false, missed = 0, times *= 4, false;
        if (saved_ns <= 0) return false;
        owed = rt_max(owed - gained, -2 * risked); // what was won before makes good for no more than a trial may lose
        return true;
    }
    // A call has stayed that would have saved so much: test that all go from now on, with it.
    bool begins(const double saved_ns, const double copies_ns)
    {
        missed += rt_max(saved_ns, 0.0);
        if (n_waiting < 2 || missed < times * wanted) return false;
        is_on = true, missed = 0, risked = wanted, owed = 0;
        return goes(saved_ns, saved_ns - copies_ns);
    }
};

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
    double wanted = 0;                 // ns of copies that its last call waited for, which stayed
    const char *const within;          // the region that has all calls of this one in it
    long number = -1;                  // of its name, once it is asked

    // Regions by name, and whether what the original does of the last call is hoped for.
    struct asked {
        const char *region;
        bool is_hoped;
    };
    inline static list<asked> all;
    inline static together all_regions;
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
    ~patience() { all_regions.waits(wanted, 0); }
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
    void pay(const double ns) { owed += ns, all_regions.pay(ns); }

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
        if (is_over(call.saved(), call.to_device, call.host - call.device)) return !strays(call);
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
    // `saved_at_home`: what it saves where all arrays are at home.
    bool is_over(const double saved_ns, const double copies_ns, const double saved_at_home)
    {
        gained = saved_ns - copies_ns;
        const double debt = owed > 0 ? owed : 0;
        if (all_regions.goes(saved_ns, saved_at_home - copies_ns) || (copies_ns <= saved_ns && debt <= 2 * risked)) {
            owed -= gained;
            wait_for(0);
            return true;
        }
        if (has_gone) times = owed > 0 ? 2 * times : 1;
        has_gone = false;
        if (saved_ns <= 0) return false;
        wait_for(copies_ns);
        missed += saved_ns;
        if (missed < times * (copies_ns + (debt > risked ? debt : 0))) return all_regions.begins(saved_at_home, copies_ns);
        missed = 0, risked = owed = rt_max(-gained, 0.0);
        wait_for(0);
        return has_gone = true;
    }
    void wait_for(const double copies_ns)
    {
        all_regions.waits(wanted, copies_ns);
        wanted = copies_ns;
    }
};

} // namespace rt
