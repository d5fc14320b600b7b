// Calls that a device would do sooner: how many stay until its start pays, and until the copies to it do. No device is asked
// for anything, so none is needed.
#include "rt_runtime.h"

// Test that a call of that many operations is for a device.
static bool is_asked(const long operations)
{
    if (rt::is_little({{3100, {}}}, {}, {{1, 0, {operations}}})) return false;
    rt::region rt("f_0", "f.c", 1);
    rt::work work;
    work.wait(3100, {});
    work.run(1, 0, {operations});
    rt::patience none;
    return rt.pays(work, none);
}

// Calls that stay until one goes: a device saves each 0.994 ms, and has to copy for 5.
static int n_patient(rt::patience &patience)
{
    static const char array[175140000] = {};
    for (int n = 0; n < 1000; n++) {
        rt::region rt("f_0", "f.c", 1);
        rt::work work;
        work.wait(3100, {});
        work.run(1, 0, {10007100});
        work.copy_in(array, 0, sizeof(array), 1);
        if (rt.pays(work, patience)) return n;
    }
    return 1000;
}

// Calls that find the array on the device.
static void find_it_there(rt::patience &patience, const int n_calls)
{
    for (int n = 0; n < n_calls; n++) {
        rt::region rt("f_0", "f.c", 1);
        rt::work work;
        work.wait(3100, {});
        work.run(1, 0, {10007100});
        rt.pays(work, patience);
    }
}

// Calls of a hundred that go where each saves 0.994 ms, and what it leaves goes home for that many.
static int n_that_go(rt::patience &patience, const double home_ms, const int n_calls = 100)
{
    int n_gone = 0;
    for (int n = 0; n < n_calls; n++) {
        rt::region rt("f_0", "f.c", 1);
        rt::work work;
        work.wait(3100, {});
        work.run(1, 0, {10007100});
        if (!rt.pays(work, patience)) continue;
        n_gone++;
        if (home_ms > 0) patience.pay(home_ms * 1e6);
    }
    return n_gone;
}

// Calls that stay before the start pays, each with ten in it that have all of its work: twice as many where those count too.
static int n_with_others_in_it(const char *const within)
{
    rt::patience outer, inner(within);
    rt::patience::hoped_by_all = 0;
    for (int n = 0; n < 1000; n++) {
        for (int k = 0; k <= 10; k++) {
            rt::region rt(k ? "inner" : "outer", "f.c", 1);
            rt::work work;
            work.wait(3100, {});
            work.run(1, 0, {k ? 1000710 : 10007100});
            if (rt.pays(work, k ? inner : outer)) return n;
        }
    }
    return 1000;
}

// Judged by what was measured: a core is ten times as fast as the model says, and the device slower; of other sizes, only that the
// core is; then nobody has measured the core. The first call on a device, which loads its kernels, does not count,
// nor does the second, from which on arrays are kept; but one without hope is the last.
static void judge()
{
    rt::measured all, device_alone;
    const rt::call_times model{1e6, 0, 1e5, 0}, larger{1e8, 0, 1e5, 0};
    for (int k = 0; k < 5; k++) all.on_host(1e6, 1e5), all.on_device(1e6, k < 2 ? 4e7 : 2e5);
    printf("%.0f %.0f us measured", all.of(model).host / 1e3, all.of(model).device / 1e3);
    printf(", %.0f %.0f us of another size\n", all.of(larger).host / 1e3, all.of(larger).device / 1e3);
    for (int k = 0; k < 5; k++) device_alone.on_device(1e6, k < 2 ? 4e7 : 5e5);
    rt::measured hopeless, perhaps;
    hopeless.on_device(1e8, 9e8), perhaps.on_device(1e8, 7e8);
    // Calls with new arrays do not count until they have lost enough, the one more that tells so included.
    rt::measured with_new;
    for (int k = 0; k < 3; k++) with_new.on_device(1e8, 1.4e8, true);
    const double before = with_new.of({1e8, 0, 1e6, 0}).device;
    for (int k = 0; k < 3; k++) with_new.on_device(1e8, 1.4e8, true);
    printf("%.0f ms of one with new arrays, %.0f of more\n", before / 1e6, with_new.of({1e8, 0, 1e6, 0}).device / 1e6);
    const rt::call_times long_one{1e8, 0, 1e6, 0};
    printf("%.0f ms of one without hope, %.0f of another\n", hopeless.of(long_one).device / 1e6, perhaps.of(long_one).device / 1e6);
    printf("the original is asked for: %d %d", all.asks_for_original(model), device_alone.asks_for_original(model));
    // It ran, and waited for what the device had: 200 us by the model, of 700; and 400 once more.
    device_alone.on_host(1e6, 7e5, 2e5), device_alone.on_host(1e6, 9e5, 2e5);
    const rt::call_times waited = device_alone.of({1e6, 2e5, 1e5, 0});
    printf(", then %d: %.0f us at home, %.0f of waiting\n", device_alone.asks_for_original(model), waited.host / 1e3, waited.wait / 1e3);
}

// Calls in a row that a core is sooner done with, but for the way home of 100 us: as many go as lose there and back.
static int n_that_stray()
{
    rt::patience patience;
    int n = 0;
    while (n < 1000 && patience.is_over({1e3, 1e5, 1.1e4, 0})) n++;
    return n;
}

// Calls of three regions, a thousand each in turns, that go, and us a round that all of them win. They use one array, which takes 75 us
// each way; the host may touch it at the end of a round.
static void tell_rounds(const double saved_us, const bool is_touched)
{
    rt::patience of[3];
    rt::patience *left_by = nullptr; // has the array on the device, newer
    double won_us = 0;
    int n_gone = 0;
    const auto goes_home = [&] {
        if (left_by) left_by->pay(75e3), won_us -= 75;
        left_by = nullptr;
    };
    for (int round = 0; round < 1000; round++) {
        for (rt::patience &region : of) {
            const double copies_us = left_by ? 0 : 75;
            const bool goes = region.is_over({saved_us * 1e3 + 1e4, left_by ? 75e3 : 0, 1e4, copies_us * 1e3});
            if (goes)
                n_gone++, won_us += saved_us - copies_us, left_by = &region;
            else
                goes_home();
        }
        if (is_touched) goes_home();
    }
    printf("%d of 3000 go that save %.0f us and win %.0f us a round\n", n_gone, saved_us, won_us / 1000);
}

int main(const int argc, char **const argv)
{
    // Programs of their own, as what one region has missed counts for the others.
    if (argc == 3) return tell_rounds(atof(argv[1]), atoi(argv[2])), 0;
    int n_little = 0, n_stayed = 0;
    for (int k = 0; k < 1000; k++) n_little += !is_asked(50000); // 5 us: one core is done first
    while (n_stayed < 1000 && !is_asked(10007100)) n_stayed++;   // 1,000.71 us, of which a device waits 7.1
    printf("%d little, %d before the start pays\n", n_little, n_stayed);
    printf("%d with others in it, %d if they count\n", n_with_others_in_it("outer"), n_with_others_in_it("elsewhere"));
    rt::work::has_begun = true;
    printf("%d %d when it has begun\n", is_asked(50000), is_asked(80000));
    rt::patience patience;
    const int first = n_patient(patience), in_vain = n_patient(patience), again = n_patient(patience);
    find_it_there(patience, 3);
    const int little = n_patient(patience);
    find_it_there(patience, 9);
    printf("%d, %d and %d before copies pay, %d when they were of little use, %d when of much\n", first, in_vain, again, little, n_patient(patience));
    rt::patience used_at_home, left_alone;
    const int in_vain_100 = n_that_go(used_at_home, 5), then = n_that_go(used_at_home, 0);
    printf("%d and %d of 100 go that the host wants home and then does not, %d of cheap ones\n", in_vain_100, then, n_that_go(left_alone, 0.9));
    judge();
    printf("%d stray\n", n_that_stray());
    return 0;
}
