// What emission makes of the kernels of wide.txt (wide.cu), against plain loops. Runs on a GPU too.
#include "rt_runtime.h"

#include "wide.cu"

static int n_wrong;

template <class Position> static void check_scaled(rt::region &rt)
{
    const int n = 5, m = 202;
    static float a[n * m], c[n * m], wanted[n * m];
    for (int i = 0; i < n * m; i++) a[i] = (float)(i % 7), c[i] = (float)i, wanted[i] = c[i] + 2 * a[i];
    rt::array<float> a_dev(rt, "a", a, n * m), c_dev(rt, "c", c, n * m);
    a_dev.copy_in(0, n * m);
    c_dev.copy_in(0, n * m);
    rt.launch("scaled", 1, scaled<Position, 32, 4>, rt_dims(n, 2), rt_dims(32), n, m, 2.0f, a_dev, c_dev);
    c_dev.copy_out(0, n * m);
    for (int i = 0; i < n * m; i++) n_wrong += c[i] != wanted[i];
}

static void check_turned(rt::region &rt)
{
    const int n = 24;
    static double a[n * n], c[n * n];
    for (int i = 0; i < n * n; i++) a[i] = i;
    rt::array<double> a_dev(rt, "a", a, n * n), c_dev(rt, "c", c, n * n);
    a_dev.copy_in(0, n * n);
    rt.launch("turned", 4, turned, rt_dims(n / 8, n / 8), rt_dims(8, 4), n, a_dev, c_dev);
    c_dev.copy_out(0, n * n);
    for (int i = 0; i < n * n; i++) n_wrong += c[i] != a[i % n * n + i / n];
}

template <class Position, int T, int STAGES> static void check_product(rt::region &rt)
{
    const int n = 5 * T;
    static float a[n * n], b[n * n], c[n * n];
    for (int i = 0; i < n * n; i++) a[i] = (float)(i % 5), b[i] = (float)(i % 3);
    rt::array<float> a_dev(rt, "a", a, n * n), b_dev(rt, "b", b, n * n), c_dev(rt, "c", c, n * n);
    a_dev.copy_in(0, n * n);
    b_dev.copy_in(0, n * n);
    rt.launch("product", 7, product<Position, T, STAGES>, rt_dims(5, 5), rt_dims(T, T), n, a_dev, b_dev, c_dev);
    c_dev.copy_out(0, n * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            n_wrong += c[i * n + j] != sum;
        }
    }
}

static void check_mirrored(rt::region &rt)
{
    const int n = 64;
    static double a[n * n], c[n * n];
    for (int i = 0; i < n * n; i++) a[i] = i;
    rt::array<double> a_dev(rt, "a", a, n * n), c_dev(rt, "c", c, n * n);
    a_dev.copy_in(0, n * n);
    rt.launch_with_shared(MIRRORED_BYTES, "mirrored", 10, mirrored<n>, rt_dims(n), rt_dims(n), n, a_dev, c_dev);
    c_dev.copy_out(0, n * n);
    for (int i = 0; i < n * n; i++) n_wrong += c[i] != a[i / n * n + n - 1 - i % n];
}

int main()
try {
    rt::region rt("wide_0", "wide.c", 1);
    check_scaled<int>(rt);
    check_scaled<long>(rt);
    check_turned(rt);
    check_product<int, 8, 2>(rt);
    check_product<long, 8, 3>(rt);
    check_product<int, 4, 4>(rt);
    check_mirrored(rt);
    rt.done();
    printf("%d wrong\n", n_wrong);
    return n_wrong > 0;
} catch (const rt::error &e) {
    return rt::failed(e);
}
