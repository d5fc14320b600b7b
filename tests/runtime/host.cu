// The host's side by itself: comparisons in check mode, launches and copies that are refused. argv[1] names the case.
#include "rt_runtime.h"

RT_KERNEL void touch(const rt_out<int> y)
{
    y[0] = 1;
}

RT_KERNEL void touch_all(const rt_exchanged<int> y, rt_cooperative_barrier rt_barrier)
{
    RT_GRID_BARRIER(rt_barrier);
    y[blockIdx.x] = 1;
}

// Compares what `original` and `converted` leave in an array that held `before`; elements [1, 4) are live.
template <class T>
static void compare(const char *name, const T (&before)[6], const T (&converted)[6], const T (&original)[6])
{
    T array[6];
    memcpy(array, before, sizeof array);
    rt::check &c = rt::check::open(name, "host.c", 1);
    c.array("v", array, sizeof(T), rt::type_of<T>(), {2, 3}, {0, 6}, {1, 4});
    memcpy(c["v"], converted, sizeof array);
    c.converted(1);
    memcpy(array, original, sizeof array);
    rt::check &again = rt::check::open_again(name, "host.c", 1);
    again.compare("v", array);
    again.close();
}

static void comparisons()
{
    const double nan = (double)NAN, inf = (double)INFINITY;
    compare<double>("equal", {9, 0, 0, 0, 9, 9}, {9, nan, -0.0, inf, 9, 9}, {5, -nan, -0.0, inf, 5, 5});
    compare<double>("signs", {9, 0, 0, 0, 9, 9}, {9, nan, -0.0, 0.0, 9, 9}, {5, -nan, 0.0, 0.0, 5, 5});
    compare<double>("near", {9, 0, 0, 0, 9, 9}, {9, 1 + 1e-10, 1e-13, 3, 9, 9}, {9, 1, 2e-13, 3, 9, 9});
    compare<float>("far", {9, 0, 0, 0, 9, 9}, {9, 1, 2.001f, 3, 9, 9}, {9, 1, 2, 3, 9, 9});
    // An element near zero beside one of 4096: rounding of the large one passes, a hundred thousandth of it does not.
    const float big = 4096, bit = big * FLT_EPSILON, wrong = big * 1e-5f;
    compare<float>("rounded", {9, 0, 0, 0, 9, 9}, {9, big, bit * 8, 3, 9, 9}, {9, big, 0, 3, 9, 9});
    compare<float>("not rounded", {9, 0, 0, 0, 9, 9}, {9, big, wrong, 3, 9, 9}, {9, big, 0, 3, 9, 9});
    const double large = 4096, last = large * DBL_EPSILON, off = large * 1e-11;
    compare<double>("rounded twice", {9, 0, 0, 0, 9, 9}, {9, large, last * 8, 3, 9, 9}, {9, large, 0, 3, 9, 9});
    compare<double>("not so near", {9, 0, 0, 0, 9, 9}, {9, large, off, 3, 9, 9}, {9, large, 0, 3, 9, 9});
    compare<double>("infinite", {9, 0, 0, 0, 9, 9}, {9, inf, 1, 1, 9, 9}, {9, 1e300, 1, 1, 9, 9});
    compare<unsigned long>("exact", {0}, {0, ~0ul, 1, 1, 0, 0}, {0, ~0ul - 1, 1, 1, 0, 0});
    compare<short>("outside", {1, 2, 3, 4, 5, 6}, {1, 0, 0, 0, 7, 6}, {1, 0, 0, 0, 5, 6});
}

// Whether calls pay by estimate: no work; work beside a launch; beside copies; what waits for memory; a negative count; steps.
static void estimates()
{
    const auto pays = [](const double operations, const double accesses, const long n, const long copied) {
        rt::work call;
        call.wait(3100, {});
        call.run(operations, accesses, {n, 1000});
        call.copy_rows(nullptr, 0, copied, sizeof(double));
        rt::patience none;
        return none.is_over(call.times());
    };
    const bool told[] = {pays(1, 3, 0, 0),         pays(1, 3, 100, 0),          pays(1, 3, 100, 100000),
                         pays(1, 3, 1000, 100000), pays(1, 3, 1000, 100000000), pays(1, 3, -1, 0)};
    // Levinson's recursion: n steps of five barriers, over half a square.
    const auto levinson = [](const long n) {
        rt::work call;
        call.wait(5940, {n});
        call.run(7, 8, {n, n}, 2);
        rt::patience none;
        return none.is_over(call.times());
    };
    for (const long n : {2000, 20000}) fputs(levinson(n) ? "device " : "host ", stdout);
    for (const bool is_worth : told) fputs(is_worth ? "device " : "host ", stdout);
}

// No number where the original has: what is left of a sum, which other rounding turns around; the same where it does not; a
// value that it moves in its last digits; an exact zero. Then zeros of other signs: one that other rounding makes of the other
// or of what is left of a sum, and one that it leaves as it is. Towards minus infinity the sign of a zero says nothing.
static void noise(const bool is_downward)
{
    const double original[] = {1e-15, 1e-15, 2, 0, 0, -0.0, 0}, converted[] = {NAN, NAN, INFINITY, NAN, -0.0, 0, -0.0},
                 shifted[] = {-2e-16, 1e-15, 2 + 1e-9, 0, -0.0, 1e-17, 0};
    const rt::stretch all{"v", (const char *)original, sizeof(double), rt::type::f64, {7}, 0, 7, 0, 7, nullptr, 0};
    rt::computed c{all, (const char *)original, (const char *)converted, true};
    for (long i = 0; i < 7; i++) c.apart.push_back(i);
    c.shifts.assign(7, 0);
    c.turns.assign(7, false);
    c.note_shifts((const char *)shifted, is_downward);
    for (size_t k = 0; k < 7; k++) fputs(c.is_rounding(k) ? "rounding " : "fault ", stdout);
    c.compares_zeros = false;
    for (long i = 0; i < 7; i++) fputs(c.agrees(i) ? "same " : "other ", stdout);
}

static int region(const char *which)
try {
    rt::region rt("host_0", "host.c", 7);
    int host[4] = {};
    rt::array<int> y(rt, "y", host, 4);
    if (strcmp(which, "empty") == 0) rt.launch("touch", 9, touch, rt_dims(0), rt_dims(32), y);
    if (strcmp(which, "grid") == 0) rt.launch("touch", 9, touch, rt_dims(70000, 1), rt_dims(32), y);
    if (strcmp(which, "block") == 0) rt.launch("touch", 9, touch, rt_dims(1), rt_dims(32, 33), y);
    if (strcmp(which, "resident") == 0) rt.launch_resident("touch_all", 9, touch_all, 4, rt_dims(32), y);
    if (strcmp(which, "range") == 0) y.copy_in(2, 5);
    rt.done();
    return 1;
} catch (const rt::error &e) {
    return rt::failed(e);
}

int main(int, char **argv)
{
    if (strcmp(argv[1], "comparisons") == 0)
        comparisons();
    else if (strcmp(argv[1], "estimates") == 0)
        estimates();
    else if (strcmp(argv[1], "noise") == 0)
        for (const bool is_downward : {false, true}) noise(is_downward);
    else
        region(argv[1]);
    return 0;
}
