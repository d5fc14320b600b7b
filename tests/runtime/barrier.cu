// Kernels that stay resident and cross barriers of the grid, and steps that are replayed: right results, and no finding
// in the simulation. Runs on a GPU too.
//   barrier                                   correct programs, with all barriers, and waits for neighbours
//   barrier stress CROSSINGS BLOCKS THREADS   crossings of uneven blocks, each of them checked; 0 blocks: all that fit
//   barrier time                              microseconds a crossing and a launch, for a GPU
#include "rt_runtime.h"

static int n_wrong;

static void expect(const bool right, const char *what)
{
    if (right) return;
    n_wrong++;
    printf("wrong: %s\n", what);
}

// ---- correct programs

// Between two barriers nobody else writes what is read.
RT_DEVICE void smooth(const long n, const rt_in<double> from, const rt_out<double> to)
{
    const long me = (long)blockIdx.x * blockDim.x + threadIdx.x, all = (long)gridDim.x * blockDim.x;
    for (long i = 1 + me; i < n - 1; i += all) to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

// Where blocks wait for those beside them, these are all whose elements they read.
template <class Barrier, bool is_beside = false>
RT_KERNEL void diffuse(const long n, const long steps, const rt_exchanged<double> u, const rt_exchanged<double> v,
                       Barrier rt_barrier)
{
    for (long t = 0; t < 2 * steps; t++) {
        if (t % 2 == 0)
            smooth(n, u, v);
        else
            smooth(n, v, u);
        if constexpr (is_beside)
            RT_GRID_WAIT(rt_barrier);
        else
            RT_GRID_BARRIER(rt_barrier);
    }
}

template <class Barrier, bool is_beside = false> static void check_diffuse(rt::region &rt, const long blocks)
{
    const long n = 1000, steps = 20;
    static double u[n], v[n], wanted[n], next[n];
    for (long i = 0; i < n; i++) u[i] = v[i] = wanted[i] = next[i] = (double)((i * 37) % 101);
    for (long t = 0; t < 2 * steps; t++) {
        double *const from = t % 2 ? next : wanted, *const to = t % 2 ? wanted : next;
        for (long i = 1; i < n - 1; i++) to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
    }
    rt::array<double> u_dev(rt, "u", u, n), v_dev(rt, "v", v, n);
    u_dev.copy_in(0, n);
    v_dev.copy_in(0, n);
    rt.launch_resident("diffuse", 1, diffuse<Barrier, is_beside>, blocks, rt_dims(96), n, steps, u_dev, v_dev);
    rt.launch_resident("diffuse", 1, diffuse<Barrier, is_beside>, 0, rt_dims(96), n, steps, u_dev, v_dev); // no block: nothing
    u_dev.copy_out(0, n);
    for (long i = 0; i < n; i++) expect(fabs(u[i] - wanted[i]) < 1e-12, "diffuse");
}

// Halves until the sum over all blocks is below one: every thread must see the same sum to leave at the same step.
template <class Barrier>
RT_KERNEL void halve(const rt_exchanged<double> x, const rt_exchanged<double> sums, const rt_out<int> steps,
                     Barrier rt_barrier)
{
    RT_SHARED(double, total, [1]);
    const unsigned me = threadIdx.x + blockDim.x * threadIdx.y, threads = blockDim.x * blockDim.y;
    const unsigned i = blockIdx.x * threads + me;
    int n_steps = 0;
    for (;; n_steps++) {
        const double sum = rt_block_reduce<rt_add>((double)x[i]);
        if (me == 0) sums[blockIdx.x] = sum;
        RT_GRID_BARRIER(rt_barrier);
        if (me == 0) {
            double all = 0;
            for (unsigned b = 0; b < gridDim.x; b++) all += sums[b];
            total[0] = all;
        }
        RT_GRID_BARRIER(rt_barrier); // the block's tile lives on
        if (total[0] < 1) break;
        x[i] *= 0.5;
    }
    steps[i] = n_steps;
}

template <class Barrier> static void check_halve(rt::region &rt, const long blocks)
{
    const long n = blocks * 64;
    rt::list<double> x, sums;
    rt::list<int> steps;
    x.assign(n, 1.0);
    sums.assign(blocks, 0.0);
    steps.assign(n, -1);
    int wanted = 0;
    for (double all = (double)n; all >= 1; all *= 0.5) wanted++;
    rt::array<double> x_dev(rt, "x", x.begin(), n), sums_dev(rt, "sums", sums.begin(), blocks);
    rt::array<int> steps_dev(rt, "steps", steps.begin(), n);
    x_dev.copy_in(0, n);
    rt.launch_resident("halve", 2, halve<Barrier>, blocks, rt_dims(4, 16), x_dev, sums_dev, steps_dev);
    steps_dev.copy_out(0, n);
    for (const int s : steps) expect(s == wanted, "halve");
}

RT_KERNEL void add(const long n, const double what, const rt_inout<double> x)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += what;
}

RT_KERNEL void twice(const long n, const rt_inout<double> x)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = rt_mod((long)(2 * x[i]), 1009);
}

RT_KERNEL void mirror(const long n, const rt_exchanged<double> x, rt_lock_free_barrier rt_barrier)
{
    const long me = (long)blockIdx.x * blockDim.x + threadIdx.x, all = (long)gridDim.x * blockDim.x;
    const double mine = me < n ? (double)x[n - 1 - me] : 0;
    RT_GRID_BARRIER(rt_barrier);
    if (me < n) x[me] = mine;
    for (long i = all; i < n; i++) x[i] = -1; // the grid is large enough: nothing to do
}

// Launches before, in and after replayed steps are in order, for few steps and for many.
static void check_replay(rt::region &rt, const long n_steps)
{
    const long n = 100, resident = rt.resident_blocks(mirror, rt_dims(64)), blocks = rt_min(resident, 2L);
    double x[n], wanted[n];
    for (long i = 0; i < n; i++) x[i] = wanted[i] = (double)i;
    rt::array<double> x_dev(rt, "x", x, n);
    x_dev.copy_in(0, n);
    rt.launch("add", 3, add, rt_dims(4), rt_dims(32), n, 5.0, x_dev);
    rt.replay(4, n_steps, [&] {
        rt.launch("twice", 5, twice, rt_dims(4), rt_dims(32), n, x_dev);
        rt.launch("add", 6, add, rt_dims(0), rt_dims(32), n, 100.0, x_dev);
        rt.launch("add", 7, add, rt_dims(4), rt_dims(32), n, 1.0, x_dev);
        if (blocks == 2) rt.launch_resident("mirror", 8, mirror, blocks, rt_dims(64), n, x_dev);
    });
    rt.launch("add", 9, add, rt_dims(4), rt_dims(32), n, 7.0, x_dev);
    x_dev.copy_out(0, n);
    for (long i = 0; i < n; i++) wanted[i] += 5;
    for (long t = 0; t < n_steps; t++) {
        for (long i = 0; i < n; i++) wanted[i] = (double)((long)(2 * wanted[i]) % 1009 + 1);
        for (long i = 0; i < n / 2 && blocks == 2; i++) {
            const double held = wanted[i];
            wanted[i] = wanted[n - 1 - i];
            wanted[n - 1 - i] = held;
        }
    }
    for (long i = 0; i < n; i++) expect(x[i] == wanted[i] + 7, "replay");
}

template <class Barrier, bool is_beside = false> static void check_diffusion(rt::region &rt)
{
    const long most = rt.resident_blocks(diffuse<Barrier, is_beside>, rt_dims(96));
    for (const long blocks : {1L, rt_min(2L, most), most, 1L, rt_max(most - 1, 1L)})
        check_diffuse<Barrier, is_beside>(rt, blocks);
}

template <class Barrier> static void check_barrier(rt::region &rt)
{
    check_diffusion<Barrier>(rt);
    const long most_halving = rt.resident_blocks(halve<Barrier>, rt_dims(4, 16));
    for (const long blocks : {1L, most_halving}) check_halve<Barrier>(rt, blocks);
}

// ---- stress

// What a thread of a block writes at a step, and how much it works before: different for every block and step.
RT_DEVICE unsigned mixed(const unsigned block, const unsigned thread, const unsigned step)
{
    unsigned h = block * 2654435761u ^ thread * 2246822519u ^ step * 3266489917u;
    h = (h ^ h >> 15) * 2246822519u;
    return h ^ h >> 13;
}

// Every thread leaves a word at each step; after the barrier every block looks at one word of each other block, and
// every thread at one of another. What the next step writes lies elsewhere, so one barrier a step orders all.
template <class Barrier>
RT_KERNEL void stress(const long crossings, const rt_exchanged<unsigned> words, const rt_inout<unsigned> wrong,
                      const rt_out<unsigned> work, Barrier rt_barrier)
{
    const unsigned me = threadIdx.x, threads = blockDim.x, block = blockIdx.x, blocks = gridDim.x;
    const long half = (long)blocks * threads;
    unsigned busy = me, n_wrong = 0;
    for (unsigned k = 1; k <= crossings; k++) {
        const unsigned share = mixed(block, 0, k) % 16;
        const unsigned turns = share == 0 ? 1000 : share < 4 ? 100 : 0; // few blocks are late, each time others
        if (!rt::simulated)
            for (unsigned w = 0; w < turns; w++) busy = busy * 1664525u + 1013904223u;
        const long at = (k % 2) * half;
        words[at + block * threads + me] = mixed(block, me, k);
        RT_GRID_BARRIER(rt_barrier);
        for (unsigned b = me; b < blocks; b += threads) {
            const unsigned t = (b + k) % threads;
            if (words[at + b * threads + t] != mixed(b, t, k)) n_wrong++;
        }
        const unsigned b = (block + k) % blocks, t = (me + k) % threads;
        if (words[at + b * threads + t] != mixed(b, t, k)) n_wrong++;
    }
    if (n_wrong > 0) rt_atomic<rt_add>(wrong[0], n_wrong);
    work[block * threads + me] = busy;
}

template <class Barrier>
static void check_stress(rt::region &rt, const char *what, const long crossings, const long asked, const long threads)
{
    const long most = rt.resident_blocks(stress<Barrier>, rt_dims(threads));
    const long blocks = asked > 0 ? rt_min(asked, most) : most, n = blocks * threads;
    unsigned wrong = 0;
    rt::array<unsigned> words(rt, "words", nullptr, 2 * n), work(rt, "work", nullptr, n),
        wrong_dev(rt, "wrong", &wrong, 1);
    wrong_dev.copy_in(0, 1);
    const double start = rt::seconds_now();
    rt.launch_resident("stress", 10, stress<Barrier>, blocks, rt_dims(threads), crossings, words, wrong_dev, work);
    wrong_dev.copy_out(0, 1);
    printf("%s: %ld crossings of %ld blocks of %ld threads in %.3f s: %u wrong\n", what, crossings, blocks, threads,
           rt::seconds_now() - start, wrong);
    n_wrong += wrong > 0;
}

// The number of words of neighbours that are not what these left.
template <class Standing>
RT_DEVICE unsigned wrong_beside(const Standing standing, const rt_exchanged<unsigned> words, const long at,
                                const unsigned k)
{
    const unsigned me = threadIdx.x, threads = blockDim.x;
    unsigned n_wrong = 0;
    for (unsigned beside = me; beside < standing.beside && standing.holds(blockIdx.x); beside += threads) {
        const unsigned b = standing.neighbour(blockIdx.x, beside), t = (b + k) % threads;
        if (words[at + b * threads + t] != mixed(b, t, k)) n_wrong++;
    }
    return n_wrong;
}

// The same among blocks beside each other, which stand in a line, in rows or in planes: each looks at words of its
// neighbours. What is overwritten was looked at before the wait in between.
RT_KERNEL void stress_beside(const long crossings, const int dimensions, const rt_exchanged<unsigned> words,
                             const rt_inout<unsigned> wrong, const rt_out<unsigned> work, rt_relaxed_barrier rt_barrier)
{
    const unsigned me = threadIdx.x, threads = blockDim.x, block = blockIdx.x;
    const long half = (long)gridDim.x * threads;
    unsigned busy = me, n_wrong = 0;
    for (unsigned k = 1; k <= crossings; k++) {
        const unsigned share = mixed(block, 0, k) % 16;
        const unsigned turns = share == 0 ? 1000 : share < 4 ? 100 : 0;
        if (!rt::simulated)
            for (unsigned w = 0; w < turns; w++) busy = busy * 1664525u + 1013904223u;
        const long at = (k % 2) * half;
        words[at + block * threads + me] = mixed(block, me, k);
        if (dimensions == 1) {
            RT_GRID_WAIT(rt_barrier);
            n_wrong += wrong_beside(rt_standing((int)gridDim.x), words, at, k);
        } else if (dimensions == 2) {
            RT_GRID_WAIT(rt_barrier, 3);
            n_wrong += wrong_beside(rt_standing((int)gridDim.x, 3), words, at, k);
        } else {
            RT_GRID_WAIT(rt_barrier, 2, 3);
            n_wrong += wrong_beside(rt_standing((int)gridDim.x, 2, 3), words, at, k);
        }
    }
    if (n_wrong > 0) rt_atomic<rt_add>(wrong[0], n_wrong);
    work[block * threads + me] = busy;
}

static void check_stress_beside(rt::region &rt, const char *what, const int dimensions, const long crossings,
                                const long asked, const long threads)
{
    const long most = rt.resident_blocks(stress_beside, rt_dims(threads));
    const long blocks = asked > 0 ? rt_min(asked, most) : most, n = blocks * threads;
    unsigned wrong = 0;
    rt::array<unsigned> words(rt, "words", nullptr, 2 * n), work(rt, "work", nullptr, n),
        wrong_dev(rt, "wrong", &wrong, 1);
    wrong_dev.copy_in(0, 1);
    const double start = rt::seconds_now();
    rt.launch_resident("stress", 14, stress_beside, blocks, rt_dims(threads), crossings, dimensions, words, wrong_dev,
                       work);
    wrong_dev.copy_out(0, 1);
    printf("%s: %ld crossings of %ld blocks of %ld threads in %.3f s: %u wrong\n", what, crossings, blocks, threads,
           rt::seconds_now() - start, wrong);
    n_wrong += wrong > 0;
}

// ---- times

template <class Barrier> RT_KERNEL void cross(const long crossings, Barrier rt_barrier)
{
    for (long k = 0; k < crossings; k++) RT_GRID_BARRIER(rt_barrier);
}

RT_KERNEL void cross_beside(const long crossings, rt_relaxed_barrier rt_barrier)
{
    for (long k = 0; k < crossings; k++) RT_GRID_WAIT(rt_barrier, 4);
}

template <class F> static double best_seconds(const F &run)
{
    double best = 1e9;
    for (int k = 0; k < 5; k++) {
        const double start = rt::seconds_now();
        run();
        rt::synchronise({"barrier_0", "barrier.c", 1});
        best = rt_min(best, rt::seconds_now() - start);
    }
    return best;
}

template <class F>
static void time_barrier(rt::region &rt, const char *what, const F kernel, const long blocks, const long threads)
{
    if (blocks > rt.resident_blocks(kernel, rt_dims(threads))) return;
    const auto seconds = [&](const long crossings) {
        return best_seconds([&] { rt.launch_resident("cross", 11, kernel, blocks, rt_dims(threads), crossings); });
    };
    const long crossings = 10000;
    printf("%-12s %5ld blocks of %4ld threads: %6.3f us a crossing, launched in %6.1f us\n", what, blocks, threads,
           1e6 * (seconds(crossings + 1) - seconds(1)) / (double)crossings, 1e6 * seconds(0));
}

static void time_all(rt::region &rt)
{
    const struct {
        long blocks, threads;
    } shapes[] = {{1, 256},   {1, 1024},   {2, 256},   {16, 256},  {66, 256},
                  {132, 256}, {132, 1024}, {264, 256}, {1056, 256}};
    for (const auto &s : shapes) {
        time_barrier(rt, "cooperative", cross<rt_cooperative_barrier>, s.blocks, s.threads);
        time_barrier(rt, "lock-free", cross<rt_lock_free_barrier>, s.blocks, s.threads);
        time_barrier(rt, "relaxed", cross<rt_relaxed_barrier>, s.blocks, s.threads);
        time_barrier(rt, "neighbours", cross_beside, s.blocks, s.threads);
    }
    const long n = 1000;
    double x[n] = {};
    rt::array<double> x_dev(rt, "x", x, n);
    x_dev.copy_in(0, n);
    for (const long steps : {16L, 32L, 100L, 1000L, 10000L}) {
        const auto step = [&] { rt.launch("add", 12, add, rt_dims(4), rt_dims(256), n, 1.0, x_dev); };
        const double launched = best_seconds([&] {
            for (long k = 0; k < steps; k++) step();
        });
        const double replayed = best_seconds([&] { rt.replay(13, steps, step); });
        printf("%5ld steps of one kernel: %6.3f us each launched, %6.3f replayed\n", steps,
               1e6 * launched / (double)steps, 1e6 * replayed / (double)steps);
    }
}

int main(int argc, char **argv)
try {
    rt::region rt("barrier_0", "barrier.c", 1);
    if (argc == 1) {
        for (const long steps : {50L, 0L, 1L, 3L, 1001L}) check_replay(rt, steps);
        check_barrier<rt_cooperative_barrier>(rt);
        check_barrier<rt_lock_free_barrier>(rt);
        check_barrier<rt_relaxed_barrier>(rt);
        check_diffusion<rt_relaxed_barrier, true>(rt);
        printf("%s: %d wrong\n", rt::device_name(), n_wrong);
    } else if (strcmp(argv[1], "stress") == 0 && argc == 5) {
        const long crossings = atol(argv[2]), blocks = atol(argv[3]), threads = atol(argv[4]);
        check_stress<rt_cooperative_barrier>(rt, "cooperative", crossings, blocks, threads);
        check_stress<rt_lock_free_barrier>(rt, "lock-free", crossings, blocks, threads);
        check_stress<rt_relaxed_barrier>(rt, "relaxed", crossings, blocks, threads);
        check_stress_beside(rt, "in a line", 1, crossings, blocks, threads);
        check_stress_beside(rt, "in rows", 2, crossings, blocks, threads);
        check_stress_beside(rt, "in planes", 3, crossings, blocks, threads);
    } else {
        time_all(rt);
    }
    rt.done();
    return n_wrong > 0;
} catch (const rt::error &e) {
    return rt::failed(e);
}
