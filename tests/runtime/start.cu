// Calls that a device would do sooner, before it has begun: how many stay until its start pays. No device is asked for
// anything, so none is needed.
#include "rt_runtime.h"

// Test that a call of that many operations is for a device.
static bool is_asked(const long operations)
{
    if (rt::is_little({{3100, {}}}, {}, {{1, 0, {operations}}})) return false;
    rt::region rt("f_0", "f.c", 1);
    rt::work work;
    work.wait(3100, {});
    work.run(1, 0, {operations});
    return rt.pays(work);
}

int main()
{
    int n_little = 0, n_stayed = 0;
    for (int k = 0; k < 1000; k++) n_little += !is_asked(50000); // 5 us: one core is done first
    while (n_stayed < 1000 && !is_asked(10007100)) n_stayed++;   // 1,000.71 us, of which a device waits 7.1
    printf("%d little, %d before the start pays\n", n_little, n_stayed);
    rt::work::has_begun = true;
    printf("%d %d when it has begun\n", is_asked(50000), is_asked(80000));
    return 0;
}
