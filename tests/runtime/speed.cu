// How fast the simulation is: accesses a second of the common kinds. Prints a line each.
#include "rt_runtime.h"

RT_KERNEL void read_only(const long n, const rt_in<double> a, const rt_in<double> x, const rt_out<double> y)
{
    const long i = (long)blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        double s = 0;
        for (long j = 0; j < n; j++) s += a[i * n + j] * x[j];
        y[i] = s;
    }
}

RT_KERNEL void update(const long n, const rt_inout<double> a)
{
    const long i = (long)blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        for (long j = 0; j < n; j++) a[j * n + i] += 1;
    }
}

RT_KERNEL void pointwise(const long n, const rt_in<double> a, const rt_out<double> b)
{
    const long i = (long)blockIdx.x * 256 + threadIdx.x;
    if (i < n) b[i] = a[i] + 1;
}

RT_KERNEL void tiles(const long n, const rt_in<double> a, const rt_out<double> b)
{
    RT_SHARED(double, tile, [16][17]);
    double s = 0;
    const unsigned ty = threadIdx.y, tx = threadIdx.x;
    for (long k = 0; k < n; k += 16) {
        tile[ty][tx] = a[(blockIdx.y * 16 + ty) * n + k + tx];
        __syncthreads();
        for (int l = 0; l < 16; l++) s += tile[ty][l];
        __syncthreads();
    }
    b[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = s;
}

int main()
try {
    const long n = 2048;
    double *const host = (double *)calloc(n * n, sizeof(double));
    rt::region rt("speed_0", "speed.c", 1);
    rt::array<double> a(rt, "a", host, n * n), x(rt, "x", host, n), y(rt, "y", host, n), b(rt, "b", host, n * n);
    a.copy_in(0, n * n);
    x.copy_in(0, n);
    y.copy_in(0, n);
    const auto timed = [](const char *what, const double accesses, const auto &work) {
        const double start = rt::seconds_now();
        work();
        rt::synchronise({"speed_0", "speed.c", 1});
        const double seconds = rt::seconds_now() - start;
        printf("%-10s %8.1f M accesses in %7.3f s: %6.2f ns each\n", what, 1e-6 * accesses, seconds,
               1e9 * seconds / accesses);
    };
    const long blocks = n / 256;
    timed("read", 2.0 * n * n * 12, [&] {
        for (int k = 0; k < 12; k++) rt.launch("read_only", 1, read_only, rt_dims(blocks), rt_dims(256), n, a, x, y);
    });
    timed("update", 2.0 * n * n, [&] { rt.launch("update", 2, update, rt_dims(blocks), rt_dims(256), n, a); });
    timed("pointwise", 2.0 * n * n,
          [&] { rt.launch("pointwise", 3, pointwise, rt_dims(n * n / 256), rt_dims(256), n * n, a, b); });
    timed("tiles", 18.0 * 512 * 512 * 32,
          [&] { rt.launch("tiles", 4, tiles, rt_dims(32, 32), rt_dims(16, 16), 512L, a, b); });
    rt.done();
    return 0;
} catch (const rt::error &e) {
    return rt::failed(e);
}
