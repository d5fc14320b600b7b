// Made by rtcuda 0.1.0 from sample.c; do not edit: change the C and convert again.
#include "rt_runtime.h"

// sample.c:29  mix
RT_DEVICE float rt_fn_mix(const float u, const float v)
{
    return u < v ? u * v : v - u;                                               // sample.c:29
}

// sample.c:13  x_new[i]: i in parallel, j in sequence
template <typename rt_position, int BLOCK_0>
RT_KERNEL void jacobi_sweep(const rt_position n, const rt_in<double> a, const rt_in<double> b, const rt_in<double> x,
                            const rt_out<double> x_new)
{
    const rt_position i = (rt_position)blockIdx.x * BLOCK_0 + (rt_position)threadIdx.x;
    if (i < n) {
        double s = 0.0;                                                         // sample.c:14
        for (rt_position j = 0; j < n; j++) {
            s += a[i * n + j] * x[j];                                           // sample.c:16
        }
        x_new[i] = x[i] + (b[i] - s) / a[i * n + i];                            // sample.c:17
    }
}

// sample.c:20  err = sum of |x_new[i] - x[i]|: a grid-stride loop, a block tree, one partial result a block
template <typename rt_position, int BLOCK_0>
RT_KERNEL void jacobi_err(const rt_position n, const rt_in<double> x, const rt_in<double> x_new,
                          const rt_out<double> part)
{
    double rt_sum = 0.0;
    for (rt_position i = (rt_position)blockIdx.x * BLOCK_0 + (rt_position)threadIdx.x; i < n; i += (rt_position)gridDim.x * BLOCK_0) {
        rt_sum += fabs(x_new[i] - x[i]);                                        // sample.c:21
    }
    const double rt_joined = rt_block_reduce<rt_add, double>(rt_sum);
    if (threadIdx.x == 0) part[blockIdx.x] = rt_joined;
}

// sample.c:20  err: joins the partial results
RT_KERNEL void jacobi_err_join(const rt_in<double> part, const rt_out<double> err)
{
    double rt_sum = 0.0;
    for (int rt_b = 0; rt_b < 4; rt_b++) {
        rt_sum += part[rt_b];
    }
    err[0] = rt_sum;                                                            // sample.c:21
}

// sample.c:22  x[i]: i in parallel
template <typename rt_position, int BLOCK_0>
RT_KERNEL void jacobi_copy(const rt_position n, const rt_in<double> x_new, const rt_out<double> x)
{
    const rt_position i = (rt_position)blockIdx.x * BLOCK_0 + (rt_position)threadIdx.x;
    if (i < n) {
        x[i] = x_new[i];                                                        // sample.c:23
    }
}

// Entry point of region `jacobi` (sample.c:12-25). Returns 0 where this call is outside what was proved:
// the caller then runs the original loops.
extern "C" int rt_jacobi(const int n, const double tol, double *const err_inout, int *const steps_inout,
                         const void *const a_host, const void *const b_host, void *const x_host, void *const x_new_host)
try {
    rt::region rt("jacobi", "sample.c", 12);
    double err = *err_inout;
    int steps = *steps_inout;
    if (!rt.holds(n >= 1, "n is not positive")) return 0;
    if (!rt.disjoint({rt::part_of<double>("a", a_host, {0, (long)n * n}, false),
                      rt::part_of<double>("b", b_host, {0, n}, false), rt::part_of<double>("x", x_host, {0, n}, true),
                      rt::part_of<double>("x_new", x_new_host, {0, n}, true)})) return 0;
    rt::array<double> a(rt, "a", a_host, rt::elements({n, n}), rt::leaves::guarded);
    rt::array<double> b(rt, "b", b_host, n, rt::leaves::guarded);
    rt::array<double> x(rt, "x", x_host, n, rt::leaves::guarded);
    rt::array<double> x_new(rt, "x_new", x_new_host, n, rt::leaves::guarded);
    rt::array<double> part(rt, "part", nullptr, 4);
    rt::array<double> err_dev(rt, "err", &err, 1);
    a.copy_in(0, (long)n * n);
    b.copy_in(0, n);
    x.copy_in(0, n);
    x_new.copy_in(0, n);
    while (err > tol && steps < 500) {
        rt.launch("jacobi_sweep", 13,
                  rt::by_positions({{n, n}, {n}, {63}}, jacobi_sweep<int, 32>, jacobi_sweep<long, 32>),
                  rt_dims(rt_ceildiv(n, 32)), rt_dims(32), n, a, b, x, x_new);
        rt.launch("jacobi_err", 20, rt::by_positions({{n}, {320}}, jacobi_err<int, 64>, jacobi_err<long, 64>),
                  rt_dims(4), rt_dims(64), n, x, x_new, part);
        rt.launch("jacobi_err_join", 20, jacobi_err_join, rt_dims(1), rt_dims(1), part, err_dev);
        err_dev.copy_out(0, 1);
        rt.launch("jacobi_copy", 22, rt::by_positions({{n}, {63}}, jacobi_copy<int, 32>, jacobi_copy<long, 32>),
                  rt_dims(rt_ceildiv(n, 32)), rt_dims(32), n, x_new, x);
        steps += 1;                                                             // sample.c:24
    }
    x.copy_out(0, n);
    x_new.copy_out(0, n);
    rt.done();
    *err_inout = err;
    *steps_inout = steps;
    return 1;
} catch (const rt::error &rt_error) {
    return rt::failed(rt_error);
}

// sample.c:33  new[i, j]: i and j in parallel, tiles of b in shared memory
template <int BLOCK_0, int BLOCK_1>
RT_KERNEL void product_0(const int n, const int m, const float scale, const rt_in<float> a, const rt_in<float> b,
                         const rt_inout<float> rt_new_)
{
    RT_SHARED(float, rt_b, [BLOCK_0][BLOCK_1]);
    const int i = (int)blockIdx.y * BLOCK_0 + (int)threadIdx.y;
    const int j = (int)blockIdx.x * BLOCK_1 + (int)threadIdx.x;
    if (i < n && j < m) {
        rt_new_[i * m + j] *= scale;                                            // sample.c:35
    }
    for (int rt_k = 0; rt_k < n; rt_k += BLOCK_0) {
        if (rt_k + (int)threadIdx.y < n && j < m) {
            rt_b[threadIdx.y][threadIdx.x] = b[(rt_k + (int)threadIdx.y) * m + j];  // sample.c:37
        }
        __syncthreads();
        if (i < n && j < m) {
            for (int k = 0; k < rt_min(BLOCK_0, n - rt_k); k++) {
                rt_new_[i * m + j] += rt_fn_mix(a[i * n + rt_k + k], rt_b[k][threadIdx.x]);  // sample.c:37
            }
        }
        __syncthreads();
    }
}

// Entry point of region `product` (sample.c:33-38). Returns 0 where this call is outside what was proved:
// the caller then runs the original loops.
extern "C" int rt_product(const int n, const int m, const float scale, const void *const a_host,
                          const void *const b_host, void *const new_host)
try {
    rt::region rt("product", "sample.c", 33);
    if (!rt.holds(n >= 0 && m >= 0, "n or m is negative")) return 0;
    if (!rt.holds((long)n * m < 2147483648, "new needs 64-bit positions")) return 0;
    if (!rt.disjoint({rt::part_of<float>("a", a_host, {0, (long)n * n}, false),
                      rt::part_of<float>("b", b_host, {0, (long)n * m}, false),
                      rt::part_of<float>("new", new_host, {0, (long)n * m}, true)})) return 0;
    rt::array<float> a(rt, "a", a_host, rt::elements({n, n}), rt::leaves::on_device);
    rt::array<float> b(rt, "b", b_host, rt::elements({n, m}), rt::leaves::on_device);
    rt::array<float> rt_new_(rt, "new", new_host, rt::elements({n, m}), rt::leaves::on_device);
    a.copy_in(0, (long)n * n);
    b.copy_in(0, (long)n * m);
    rt_new_.copy_in(0, (long)n * m);
    rt.launch("product_0", 33, product_0<4, 8>, rt_dims(rt_ceildiv(n, 4), rt_ceildiv(m, 8)), rt_dims(4, 8), n, m, scale,
              a, b, rt_new_);
    rt_new_.copy_out(0, (long)n * m);
    rt.done();
    return 1;
} catch (const rt::too_large &rt_error) {
    return rt::left(rt_error);
} catch (const rt::error &rt_error) {
    return rt::failed(rt_error);
}

// sample.c:43  hist[v[i] & 7]: i in parallel, atomic
template <int BLOCK_0>
RT_KERNEL void histogram_0(const long n, const rt_in<int> v, const rt_inout<int> hist)
{
    const long i = (long)blockIdx.x * BLOCK_0 + threadIdx.x;
    if (i < n) {
        rt_atomic<rt_add>(hist[v[i] & 7], 1);                                   // sample.c:44
    }
}

// Entry point of region `histogram` (sample.c:43-44). Returns 0 where this call is outside what was proved:
// the caller then runs the original loops.
extern "C" int rt_histogram(const unsigned int n, const void *const v_host, void *const hist_host)
try {
    rt::region rt("histogram", "sample.c", 43);
    if (!rt.disjoint({rt::part_of<int>("v", v_host, {0, n}, false),
                      rt::part_of<int>("hist", hist_host, {0, 8}, true)})) return 0;
    rt::array<int> v(rt, "v", v_host, n, rt::leaves::guarded);
    rt::array<int> hist(rt, "hist", hist_host, 8, rt::leaves::guarded);
    v.copy_in(0, n);
    hist.copy_in(0, 8);
    rt.launch("histogram_0", 43, histogram_0<64>, rt_dims(rt_ceildiv((long)n, 64)), rt_dims(64), n, v, hist);
    hist.copy_out(0, 8);
    rt.done();
    return 1;
} catch (const rt::error &rt_error) {
    return rt::failed(rt_error);
}

