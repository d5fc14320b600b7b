// What stays of rows behind pointers: random calls on two tables whose rows change places, and on the same memory in one block,
// beside a host that says what it uses, and beside the same work on memory that never leaves the host. argv[1] is the seed.
#include "rt_runtime.h"

constexpr long n_rows = 6, length = 40, n = 4 * n_rows * length;
static unsigned memory_of_host[n], expected[n];
static unsigned *tables[3][n_rows]; // the last may lead to rows of the others
static unsigned *blocks[2] = {memory_of_host, memory_of_host + n / 2};

RT_KERNEL void add_rows(const long first, const long last, const long begin, const long end, const long x_extent1,
                        const long y_extent1, const rt_in<unsigned> x, const rt_inout<unsigned> y)
{
    const long i = first + (long)blockIdx.y, j = begin + (long)blockIdx.x * 32 + threadIdx.x;
    if (i < last && j < end) y[i * y_extent1 + j] = 3 * y[i * y_extent1 + j] + x[i * x_extent1 + j];
}
RT_KERNEL void set_rows(const long first, const long last, const long begin, const long end, const long x_extent1,
                        const long y_extent1, const rt_in<unsigned> x, const rt_out<unsigned> y)
{
    const long i = first + (long)blockIdx.y, j = begin + (long)blockIdx.x * 32 + threadIdx.x;
    if (i < last && j < end) y[i * y_extent1 + j] = x[i * x_extent1 + j];
}
RT_KERNEL void add(const long first, const long last, const rt_in<unsigned> x, const rt_inout<unsigned> y)
{
    const long i = first + (long)blockIdx.x * 32 + threadIdx.x;
    if (i < last) y[i] = 3 * y[i] + x[i];
}

static unsigned long state;
static long below(const long end)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (long)((state >> 33) % (unsigned long)end);
}
static rt::leaves where() { return below(5) > 0 ? rt::leaves::on_device : rt::leaves::at_home; }

// y[i][j] = x[i][j], or 3 * y[i][j] + x[i][j], for first <= i < last and begin <= j < end. Of the device's rows that many elements are wanted.
static int add_rows_region(const void *const x_host, const void *const y_host, const long first, const long last,
                           const long begin, const long end, const bool adds)
try {
    rt::region rt("add_0", "stay_rows.c", 7);
    long x_extent1 = end, y_extent1 = end;
    rt::fit(x_host, sizeof(unsigned), {&x_extent1});
    rt::fit(y_host, sizeof(unsigned), {&y_extent1});
    rt::work call;
    call.copy_rows(x_host, 0, (last - 1) * x_extent1 + end, sizeof(unsigned));
    if (below(8) == 0) {
        call.leave();
        return 0;
    }
    rt::rows x_rows(x_host, {last, x_extent1}, sizeof(unsigned), 1), y_rows(y_host, {last, y_extent1}, sizeof(unsigned), 1);
    for (long i = first; i < last; i++) {
        x_rows.add(((unsigned *const *)x_host)[i], {nullptr, nullptr, i * x_extent1, begin, end, 0, 0});
        y_rows.add(((unsigned *const *)y_host)[i], {nullptr, nullptr, i * y_extent1, begin, adds ? end : begin, begin, end});
    }
    rt::array<unsigned> x(rt, "x", x_rows, rt::elements({last, x_extent1}), where());
    rt::array<unsigned> y(rt, "y", y_rows, rt::elements({last, y_extent1}), where());
    if (!rt.disjoint({}, {x.touches(x_rows, false, false), y.touches(y_rows, true, false)})) return 0;
    x.copy_in(x_rows);
    y.copy_in(y_rows);
    const rt_size3 grid = rt_dims(last, rt_ceildiv(end - begin, 32));
    if (adds)
        rt.launch("add_rows", 9, add_rows, grid, rt_dims(32), first, last, begin, end, x_extent1, y_extent1, x, y);
    else
        rt.launch("set_rows", 9, set_rows, grid, rt_dims(32), first, last, begin, end, x_extent1, y_extent1, x, y);
    y.copy_out(y_rows);
    rt.done();
    return 1;
} catch (const rt::error &e) {
    return rt::failed(e);
}

static int add_region(unsigned *const x_host, unsigned *const y_host, const long first, const long last)
try {
    rt::region rt("add_1", "stay_rows.c", 17);
    rt::array<unsigned> x(rt, "x", x_host, last, where()), y(rt, "y", y_host, last, where());
    if (!rt.disjoint({rt::part_of<unsigned>("x", x_host, {first, last}, false), rt::part_of<unsigned>("y", y_host, {first, last}, true)})) return 0;
    x.copy_in(first, last);
    y.copy_in(first, last);
    rt.launch("add", 19, add, rt_dims(rt_ceildiv(last - first, 32)), rt_dims(32), first, last, x, y);
    y.copy_out(first, last);
    rt.done();
    return 1;
} catch (const rt::error &e) {
    return rt::failed(e);
}

static unsigned &model(const unsigned *const at) { return expected[at - memory_of_host]; }

static void call_rows()
{
    unsigned *const *const x = tables[below(3)], *const *const y = tables[below(3)];
    const long last = 1 + below(n_rows), first = below(last), end = 1 + below(length), begin = below(end);
    const bool adds = below(2) > 0;
    const unsigned factor = adds ? 3 : 0;
    if (!add_rows_region(x, y, first, last, begin, end, adds))
        for (long i = first; i < last; i++)
            for (long j = begin; j < end; j++) y[i][j] = factor * y[i][j] + x[i][j];
    for (long i = first; i < last; i++)
        for (long j = begin; j < end; j++) model(&y[i][j]) = factor * model(&y[i][j]) + model(&x[i][j]);
}
static void call_block()
{
    unsigned *const x = blocks[below(2)] + below(30), *const y = blocks[below(2)] + below(30);
    const long last = 1 + below(n / 4), first = below(last);
    if (!add_region(x, y, first, last))
        for (long i = first; i < last; i++) y[i] = 3 * y[i] + x[i];
    for (long i = first; i < last; i++) model(&y[i]) = 3 * model(&y[i]) + model(&x[i]);
}
static void exchange()
{
    const long t = below(2), i = below(n_rows), k = below(n_rows);
    unsigned *const row = tables[t][i];
    tables[t][i] = tables[t][k];
    tables[t][k] = row;
    if (below(3) == 0) tables[2][below(n_rows)] = memory_of_host + below(n - length);
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
    for (long i = 0; i < n_rows; i++) {
        tables[0][i] = memory_of_host + 2 * i * length;
        tables[1][i] = memory_of_host + (2 * i + 1) * length;
        tables[2][i] = memory_of_host + n / 2 + i * length;
    }
    for (long i = 0; i < n; i++) memory_of_host[i] = expected[i] = (unsigned)i;
    long n_differing = 0, n_older = 0;
    for (int step = 0; step < 400; step++) {
        below(4) > 0 ? call_rows() : call_block();
        n_older += differing(0, n);
        const long last = 1 + below(n), first = below(last);
        const size_t bytes = (last - first) * sizeof(unsigned);
        switch (below(12)) {
        case 0:
            rt_host_reads("stay_rows.c", 1);
            n_differing += differing(0, n);
            break;
        case 1:
            rt_host_writes("stay_rows.c", 1);
            for (long i = 0; i < n; i += 7) memory_of_host[i] = expected[i] = (unsigned)(step + i);
            break;
        case 2:
            rt_host_reads_at(memory_of_host + first, bytes, "stay_rows.c", 1);
            n_differing += differing(first, last);
            break;
        case 3:
            rt_host_writes_at(memory_of_host + first, bytes, "stay_rows.c", 1);
            for (long i = first; i < last; i++) memory_of_host[i] = expected[i] += (unsigned)step;
            break;
        case 4:
            rt_host_writes_at(memory_of_host + first, sizeof(unsigned), "stay_rows.c", 1);
            memory_of_host[first] = expected[first] += (unsigned)step;
            break;
        case 5:
        case 6: exchange(); break;
        }
    }
    rt_host_reads("stay_rows.c", 1);
    n_differing += differing(0, n);
    printf("%ld differ; %s", n_differing, n_older > 0 ? "some were older on the host for a while\n" : "none was ever away\n");
    return 0;
}
