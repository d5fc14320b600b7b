// Loops of resident kernels, one in the other, that end when the program is asked to: all threads leave them in the same step. What
// the device has of their array is told while they run, and nothing once it is not at work.
//   interrupt BARRIER    once by their own condition, once by a signal while they run
#include "rt_interrupt.h"
#include "rt_told.h"

#include <signal.h>
#include <sys/time.h>

// Each thread leaves how many steps it has made.
template <class Barrier>
RT_KERNEL void count(const long most, const rt_exchanged<long> steps, rt_interruptible<Barrier> rt_barrier)
{
    const long me = (long)blockIdx.x * blockDim.x + threadIdx.x;
    long made = 0;
    while (made < most && RT_GOES_ON(rt_barrier)) {
        for (int k = 0; k < 7 && made < most && RT_GOES_ON(rt_barrier); k++) {
            made++;
            RT_GRID_BARRIER(rt_barrier);
        }
    }
    RT_GRID_BARRIER(rt_barrier);
    steps[me] = made;
}

static void ask(int)
{
    rt_interrupt();
}

template <class Barrier> static int n_wrong(rt::region &rt)
{
    const long threads = 96, blocks = rt.resident_blocks(count<Barrier>, rt_dims(threads)), n = threads * blocks;
    long *const steps = new long[n], *const seen = new long[n];
    rt::array<long> steps_dev(rt, "steps", steps, n);
    int wrong = 0;
    for (const bool is_asked : {false, true}) {
        const long most = is_asked ? 1L << 60 : 100;
        const itimerval soon{{0, 0}, {0, 30000}};
        if (is_asked) signal(SIGALRM, ask), setitimer(ITIMER_REAL, &soon, nullptr);
        const rt::told told(steps_dev);
        rt.launch_resident("count", 1, count<Barrier>, blocks, rt_dims(threads), most, steps_dev);
        wrong += !rt_tell(seen, steps, n * sizeof *steps);
        steps_dev.copy_out(0, n);
        wrong += !rt_tell(seen + 1, steps + 1, (n - 1) * sizeof *steps) || seen[n - 1] != steps[n - 1];
        for (long i = 0; i < n; i++) wrong += steps[i] != steps[0];
        wrong += is_asked ? steps[0] < 1 : steps[0] != most;
    }
    wrong += rt_tell(seen, steps, sizeof *steps) != 0;
    delete[] steps;
    delete[] seen;
    return wrong;
}

int main(int argc, char **argv)
try {
    rt::region rt("interrupt_0", "interrupt.c", 1);
    const char *const barrier = argc > 1 ? argv[1] : "cooperative";
    const int wrong = strcmp(barrier, "lock-free") == 0 ? n_wrong<rt_lock_free_barrier>(rt)
                      : strcmp(barrier, "relaxed") == 0 ? n_wrong<rt_relaxed_barrier>(rt)
                                                        : n_wrong<rt_cooperative_barrier>(rt);
    printf("%s, %s: %d wrong\n", rt::device_name(), barrier, wrong);
    rt.done();
    return wrong > 0;
} catch (const rt::error &e) {
    return rt::failed(e);
}
