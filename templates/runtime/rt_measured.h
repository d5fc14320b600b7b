// Times that calls of a region really took, on the host and on the device, beside what the model says of the host: calls of much the
// same size are judged by that, and not by estimates. The simulation, in which time says nothing, measures none.
#pragma once

#include "rt_base.h"
#include "rt_math.h"

namespace rt {

// Time of a call, in ns: a core of the host is at work, and waits before for what the device has; the device is, without copies to it;
// copies to it.
struct call_times {
    double host, wait, device, to_device;
    double saved() const { return host + wait - device; }
};

class measured {
public:
    // Calls that one core is done with sooner are not measured.
    static constexpr double least_ns = 2000;
    // The first calls on a device say nothing of the others: one loads kernels, and arrays are kept from the second on that has them.
    static constexpr int n_unlike_others = 2;
    // But one that took so many times as long as the original, and so much longer, is enough: no other makes good for it. Neither do
    // calls with an array that was not there before, once they have lost so much.
    static constexpr double hopeless = 8, hopeless_ns = 5e7;

    // A call took so long for which the model has `model_ns` of one core, and `wait_ns` until it had what was on the device. Pages that
    // come home one by one take longer than that; and a region whose arrays are always there is never seen without a wait.
    void on_host(const double model_ns, const double took_ns, const double wait_ns = 0)
    {
        kind &k = at_home[magnitude(model_ns)];
        if (wait_ns > 0 && k.n > 0)
            waits.add(rt_max(took_ns - model_ns * k.ratio, 0.0) / wait_ns);
        else
            k.add(rt_max(took_ns - wait_ns, 0.0) / model_ns);
    }
    void on_device(const double model_ns, const double took_ns, const bool has_new_array = false)
    {
        const int m = magnitude(model_ns);
        kind &k = there[m];
        const double host_ns = model_ns * (at_home[m].n > 0 ? at_home[m].ratio : nearest(m));
        if (has_new_array && k.lost_by_new_ns < hopeless_ns) return (void)(k.lost_by_new_ns += rt_max(took_ns - host_ns, 0.0));
        if (took_ns > hopeless * host_ns && took_ns > host_ns + hopeless_ns) k.n_passed_over = n_unlike_others;
        if (k.n_passed_over == n_unlike_others) return k.add(took_ns / model_ns);
        k.n_passed_over++;
    }
    // The same call, by what was measured.
    call_times of(const call_times &model) const
    {
        call_times out = model;
        const int m = magnitude(model.host);
        out.host *= at_home[m].n > 0 ? at_home[m].ratio : nearest(m);
        if (there[m].n > 0) out.device = there[m].ratio * model.host;
        if (waits.n > 0) out.wait *= waits.ratio;
        return out;
    }
    // Test that nobody knows how long the original takes, and that it may well be sooner done than the device.
    bool asks_for_original(const call_times &model) const
    {
        const int m = magnitude(model.host);
        return at_home[m].n == 0 && there[m].n > 1 && there[m].ratio > 0.3 && model.wait <= model.host;
    }

private:
    struct kind {
        double ratio = 0; // to what the model has of one core
        long n = 0;
        int n_passed_over = 0;
        double lost_by_new_ns = 0;

        // A call that the system held up counts as one that took twice as long as the others.
        void add(const double now)
        {
            ratio = n++ == 0 ? now : ratio + (rt_min(now, 2 * ratio) - ratio) / 4;
        }
    };
    static constexpr int n_magnitudes = 32;
    kind at_home[n_magnitudes], there[n_magnitudes];
    kind waits; // to what the model has of waits

    static int magnitude(const double ns) { return (int)rt_max(0.0, rt_min(log2(rt_max(ns / least_ns, 1.0)), n_magnitudes - 1.0)); }
    double nearest(const int m) const
    {
        for (int d = 1; d < n_magnitudes; d++)
            for (const int k : {m - d, m + d})
                if (k >= 0 && k < n_magnitudes && at_home[k].n > 0) return at_home[k].ratio;
        return 1;
    }
};

// The original that runs, and is measured.
inline struct {
    measured *of = nullptr;
    const char *region = "";
    pthread_t thread{};
    double model_ns = 0, wait_ns = 0, begin = 0;
} running_original;

} // namespace rt

// Need of the word of an original that it is done, which stands in the user's C; and that word.
extern "C" {
[[gnu::used]] inline int rt_is_timed = 0;
[[gnu::used]] inline void rt_is_done(const char *region);
}

namespace rt {

// `wait_ns`: for what the device has of its arrays, by the model, and of which some may have come home since `begin`.
inline void begin_original(measured &of, const char *const region, const double model_ns, const double wait_ns = 0, const double begin = 0)
{
    if (simulated || model_ns < measured::least_ns) return;
    running_original = {&of, region, pthread_self(), model_ns, wait_ns, begin > 0 ? begin : seconds_now()};
    rt_is_timed = 1;
}
// End of the measurement of an original: something else is in it.
inline void end_original() { rt_is_timed = 0; }

} // namespace rt

inline void rt_is_done(const char *const region)
{
    const rt::turn taken;
    const auto &all = rt::running_original;
    const bool is_it = rt_is_timed && pthread_equal(all.thread, pthread_self()) && strcmp(all.region, region) == 0;
    if (is_it) all.of->on_host(all.model_ns, (rt::seconds_now() - all.begin) * 1e9, all.wait_ns);
    rt::end_original();
}
