// As an emitted file is: the regions' kernels, the entry point, and the check around it; then a driver in plain C.
#include "rt_runtime.h"

// jacobi.c:20  x_new[i]: i in parallel, j in sequence
template <int BLOCK_0>
RT_KERNEL void jacobi_0_sweep(const long n, const rt_in<double> a, const rt_in<double> b, const rt_in<double> x,
                              const rt_out<double> x_new)
{
    const long i = (long)blockIdx.x * BLOCK_0 + threadIdx.x;
    if (i < n) {
        double s = 0.0; // jacobi.c:21
        for (long j = 0; j < n; j++) {
            s += a[i * n + j] * x[j]; // jacobi.c:23
        }
        x_new[i] = x[i] + (b[i] - s) / a[i * n + i]; // jacobi.c:24
    }
}

// jacobi.c:27  err = sum of |x_new[i] - x[i]|: a grid-stride loop, a block tree, one partial result a block
template <int BLOCK_0>
RT_KERNEL void jacobi_0_err(const long n, const rt_in<double> x, const rt_in<double> x_new,
                            const rt_out<double> rt_part)
{
    double rt_sum = 0;
    for (long i = (long)blockIdx.x * BLOCK_0 + threadIdx.x; i < n; i += (long)gridDim.x * BLOCK_0) {
        rt_sum += fabs(x_new[i] - x[i]); // jacobi.c:28
    }
    rt_sum = rt_block_reduce<rt_add>(rt_sum);
    if (threadIdx.x == 0) rt_part[blockIdx.x] = rt_sum;
}

// jacobi.c:27  joins the partial results
template <int BLOCK_0> RT_KERNEL void jacobi_0_err_finish(const rt_in<double> rt_part, const rt_out<double> err)
{
    double rt_sum = rt_block_reduce<rt_add>((double)rt_part[threadIdx.x]);
    if (threadIdx.x == 0) err[0] = rt_sum;
}

// jacobi.c:31  x[i] = x_new[i]
template <int BLOCK_0> RT_KERNEL void jacobi_0_copy(const long n, const rt_in<double> x_new, const rt_out<double> x)
{
    const long i = (long)blockIdx.x * BLOCK_0 + threadIdx.x;
    if (i < n) x[i] = x_new[i]; // jacobi.c:32
}

extern "C" int rt_jacobi_0(const int n, const double tol, const void *const a_host, const void *const b_host,
                           void *const x_host, void *const x_new_host, double *const err_inout)
try {
    rt::region rt("jacobi_0", "jacobi.c", 18);
    double err = *err_inout;
    if (!rt.holds(n >= 0, "n is negative")) return 0;
    rt::array<double> a(rt, "a", a_host, (long)n * n);
    rt::array<double> b(rt, "b", b_host, n);
    rt::array<double> x(rt, "x", x_host, n);
    rt::array<double> x_new(rt, "x_new", x_new_host, n);
    rt::array<double> rt_part(rt, "rt_part", nullptr, 128);
    rt::array<double> err_dev(rt, "err", &err, 1);
    if (!rt.disjoint({rt::part_of<double>("a", a_host, {0, (long)n * n}, false), rt::part_of<double>("b", b_host, {0, n}, false),
                      rt::part_of<double>("x", x_host, {0, n}, true), rt::part_of<double>("x_new", x_new_host, {0, n}, true)})) {
        return 0;
    }
    a.copy_in(0, (long)n * n);
    b.copy_in(0, n);
    x.copy_in(0, n);
    while (err > tol) {
        rt.launch("jacobi_0_sweep", 20, jacobi_0_sweep<256>, rt_dims(rt_ceildiv(n, 256)), rt_dims(256), n, a, b, x,
                  x_new);
        rt.launch("jacobi_0_err", 27, jacobi_0_err<256>, rt_dims(128), rt_dims(256), n, x, x_new, rt_part);
        rt.launch("jacobi_0_err_finish", 27, jacobi_0_err_finish<128>, rt_dims(1), rt_dims(128), rt_part, err_dev);
        rt.launch("jacobi_0_copy", 31, jacobi_0_copy<256>, rt_dims(rt_ceildiv(n, 256)), rt_dims(256), n, x_new, x);
        err_dev.copy_out(0, 1);
    }
    x.copy_out(0, n);
    x_new.copy_out(0, n);
    rt.done();
    *err_inout = err;
    return 1;
} catch (const rt::error &e) {
    return rt::failed(e);
}

static void before(const int n, const double tol, const void *a_host, const void *b_host, void *x_host,
                   void *x_new_host, double *err_inout)
{
    rt::check &c = rt::check::open("jacobi_0", "jacobi.c", 18);
    c.array("a", a_host, sizeof(double), rt::type_of<double>(), {n, n}, {0, (long)n * n}, {0, 0});
    c.array("b", b_host, sizeof(double), rt::type_of<double>(), {n}, {0, n}, {0, 0});
    c.array("x", x_host, sizeof(double), rt::type_of<double>(), {n}, {0, n}, {0, n});
    c.array("x_new", x_new_host, sizeof(double), rt::type_of<double>(), {n}, {0, n}, {0, n});
    double err_copy = *err_inout;
    c.converted(rt_jacobi_0(n, tol, c["a"], c["b"], c["x"], c["x_new"], &err_copy));
    c.scalar("err", err_copy);
}

static void after(const void *x_host, const void *x_new_host, const double *err_inout)
{
    rt::check &c = rt::check::open_again("jacobi_0", "jacobi.c", 18);
    c.compare("x", x_host);
    c.compare("x_new", x_new_host);
    c.compare_scalar("err", *err_inout);
    c.close();
}

// argv[1]: "wrong" spoils the original's result, "overlap" passes one array as two.
int main(int argc, char **argv)
{
    const int n = 300;
    const bool wrong = argc > 1 && strcmp(argv[1], "wrong") == 0, overlap = argc > 1 && strcmp(argv[1], "overlap") == 0;
    static double a[n * n], b[n], x[n], other[n];
    double *const x_new = overlap ? &x[0] : &other[0];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) a[i * n + j] = i == j ? 2 * n : 1.0 / (1 + i + j);
        b[i] = i % 7;
    }
    const double tol = 1e-8;
    double err = 1;
    before(n, tol, &a[0], &b[0], &x[0], x_new, &err);
    while (err > tol) {
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int j = 0; j < n; j++) s += a[i * n + j] * x[j];
            x_new[i] = x[i] + (b[i] - s) / a[i * n + i];
        }
        err = 0;
        for (int i = 0; i < n; i++) err += fabs(x_new[i] - x[i]);
        for (int i = 0; i < n; i++) x[i] = x_new[i];
    }
    if (wrong) x[17] += 1;
    after(&x[0], x_new, &err);
    printf("x[1] = %.12f, err = %.3e\n", x[1], err);
    return 0;
}
