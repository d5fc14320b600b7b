// What stays on the device between regions, beside a host that says what it uses: random calls on views of one piece of memory,
// and beside them the same work on memory that never leaves the host. argv[1] is the seed.
#include "rt_runtime.h"

constexpr long n = 400;
static int memory_of_host[n], expected[n];

RT_KERNEL void add(const long first, const long last, const rt_in<int> x, const rt_inout<int> y)
{
    const long i = first + (long)blockIdx.x * 32 + threadIdx.x;
    if (i < last) y[i] = 3 * y[i] + x[i];
}

// y[i] = 3 * y[i] + x[i] for first <= i < last, in a region whose arrays are that long. What it did may be taken back, or it
// may find before that it cannot do it: then there is nothing to take back, whatever was kept in earlier calls.
enum outcome { done, taken_back, found_early };
static int add_region(int *const x_host, int *const y_host, const long first, const long last, const bool leaves,
                      const outcome how)
try {
    rt::region rt("add_0", "stay.c", 7);
    const auto where = leaves ? rt::leaves::on_device : rt::leaves::at_home;
    rt::array<int> x(rt, "x", x_host, last, where), y(rt, "y", y_host, last, where);
    if (!rt.disjoint({rt::part_of<int>("x", x_host, {first, last}, false), rt::part_of<int>("y", y_host, {first, last}, true)})) return 0;
    x.copy_in(first, last);
    y.copy_in(first, last);
    y.keep(first, how == found_early ? first : last);
    if (how == found_early) {
        y.restore();
        rt::host_uses(rt::everywhere, true); // for the original
        return 0;
    }
    rt.launch("add", 9, add, rt_dims(rt_ceildiv(last - first, 32)), rt_dims(32), first, last, x, y);
    if (how == taken_back) {
        y.restore();
        y.restore(); // nothing is kept any more
        rt::host_uses(rt::everywhere, true); // for the original
        return 0;
    }
    y.copy_out(first, last);
    rt.done();
    return 1;
} catch (const rt::error &e) {
    return rt::failed(e);
}

static unsigned long state;
static long below(const long end)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (long)((state >> 33) % (unsigned long)end);
}

RT_KERNEL void assign(const long first, const long last, const rt_in<int> x, const rt_out<int> y)
{
    const long i = first + (long)blockIdx.x * 32 + threadIdx.x;
    if (i < last) y[i] = x[i] + 1;
}

// y[i] = x[i] + 1, in the same way; all of y is written.
static int assign_region(int *const x_host, int *const y_host, const long first, const long last)
try {
    rt::region rt("assign_0", "stay.c", 11);
    rt::array<int> x(rt, "x", x_host, last, rt::leaves::on_device), y(rt, "y", y_host, last, rt::leaves::on_device);
    if (!rt.disjoint({rt::part_of<int>("x", x_host, {first, last}, false), rt::part_of<int>("y", y_host, {first, last}, true)})) return 0;
    x.copy_in(first, last);
    rt.launch("assign", 12, assign, rt_dims(rt_ceildiv(last - first, 32)), rt_dims(32), first, last, x, y);
    y.copy_out(first, last);
    rt.done();
    return 1;
} catch (const rt::error &e) {
    return rt::failed(e);
}

// Where the call is one that the host does sooner.
static int left_to_host(int *const x_host, int *const y_host, const long first, const long last)
{
    rt::work call;
    call.copy_in(x_host, first, last, sizeof(int));
    call.copy_in(y_host, first, last, sizeof(int));
    call.stay(y_host, first, last, sizeof(int));
    call.leave();
    return 0;
}

static void add_both()
{
    const long x = below(n / 2), y = below(n / 2), last = 1 + below(n / 2), first = below(last);
    int *const x_host = memory_of_host + x, *const y_host = memory_of_host + y;
    const bool is_left = below(5) == 0, leaves = below(4) > 0;
    const long which = leaves ? below(6) : 2;
    const outcome how = which == 0 ? taken_back : which == 1 ? found_early : done;
    if (!(is_left ? left_to_host(x_host, y_host, first, last) : add_region(x_host, y_host, first, last, leaves, how)))
        for (long i = first; i < last; i++) memory_of_host[y + i] = 3 * memory_of_host[y + i] + memory_of_host[x + i];
    for (long i = first; i < last; i++) expected[y + i] = 3 * expected[y + i] + expected[x + i];
}

static void assign_both()
{
    const long last = 1 + below(n / 2), first = below(last), x = below(n / 2 - last + 1), y = n / 2 + below(n / 2 - last + 1);
    int *const x_host = memory_of_host + x, *const y_host = memory_of_host + y;
    const bool is_left = below(2) == 0;
    if (is_left) {
        rt::work call;
        call.copy_in(x_host, first, last, sizeof(int));
        call.stay(y_host, first, last, sizeof(int));
        call.leave();
    }
    if (is_left || !assign_region(x_host, y_host, first, last))
        for (long i = first; i < last; i++) memory_of_host[y + i] = memory_of_host[x + i] + 1;
    for (long i = first; i < last; i++) expected[y + i] = expected[x + i] + 1;
}

static long differing(const long first, const long last)
{
    long n_differing = 0;
    for (long i = first; i < last; i++) n_differing += memory_of_host[i] != expected[i];
    return n_differing;
}

int main(int, char **argv)
{
    state = strtoul(argv[1], nullptr, 10);
    long n_differing = 0, n_older = 0;
    for (int step = 0; step < 300; step++) {
        add_both();
        if (below(3) == 0) assign_both();
        n_older += differing(0, n);
        const long last = 1 + below(n), first = below(last);
        const size_t bytes = (last - first) * sizeof(int);
        switch (below(8)) {
        case 0:
            rt_host_reads("stay.c", 1);
            n_differing += differing(0, n);
            break;
        case 1:
            rt_host_writes("stay.c", 1);
            for (long i = 0; i < n; i += 7) memory_of_host[i] = expected[i] = step + (int)i;
            break;
        case 2:
            rt_host_reads_at(memory_of_host + first, bytes, "stay.c", 1);
            n_differing += differing(first, last);
            break;
        case 3:
            rt_host_writes_at(memory_of_host + first, bytes, "stay.c", 1);
            for (long i = first; i < last; i++) memory_of_host[i] = expected[i] += step;
            break;
        }
    }
    rt_host_reads("stay.c", 1);
    n_differing += differing(0, n);
    printf("%ld differ; %s", n_differing, n_older > 0 ? "some were older on the host for a while\n" : "none was ever away\n");
    return 0;
}
