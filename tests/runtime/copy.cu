// Copies to the device and back, by size: that every byte arrives, and how fast.
#include "rt_runtime.h"

static bool round_trip(const long n)
{
    unsigned *const sent = (unsigned *)malloc(n * sizeof(unsigned)), *const got =
                                                                         (unsigned *)calloc(n, sizeof(unsigned));
    for (long i = 0; i < n; i++) sent[i] = (unsigned)(i * 2654435761u);
    double best_in = 1e9, best_out = 1e9;
    rt::region rt("copy_0", "copy.c", 1);
    for (int k = 0; k < 5; k++) {
        rt::array<unsigned> there(rt, "sent", sent, n);
        double start = rt::seconds_now();
        there.copy_in(0, n);
        best_in = rt_min(best_in, rt::seconds_now() - start);
        start = rt::seconds_now();
        rt::place at{"copy_0", "copy.c", 2};
        there.device.to_host(at, 1, n, got);
        best_out = rt_min(best_out, rt::seconds_now() - start);
    }
    rt.done();
    const double bytes = (double)n * sizeof(unsigned);
    printf("%12.0f bytes: to the device %6.1f GB/s, back %6.1f GB/s\n", bytes, 1e-9 * bytes / best_in,
           1e-9 * bytes / best_out);
    const bool same = got[0] == 0 && memcmp(got + 1, sent + 1, (n - 1) * sizeof(unsigned)) == 0;
    free(sent);
    free(got);
    return same;
}

int main(int argc, char **argv)
try {
    const long most = argc > 1 ? atol(argv[1]) : 1 << 24;
    for (const long n : {1L << 18, 1L << 21, (1L << 21) + 12345, 1L << 23, 1L << 25, 1L << 27}) {
        if (n > most || round_trip(n)) continue;
        puts("wrong");
        return 1;
    }
    return 0;
} catch (const rt::error &e) {
    return rt::failed(e);
}
