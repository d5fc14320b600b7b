// Programs without a fault: right results and no finding, whatever the order of blocks and threads. Runs on a GPU too.
#include "rt_runtime.h"

static int n_wrong;

static void expect(const bool right, const char *what)
{
    if (right) return;
    n_wrong++;
    printf("wrong: %s\n", what);
}

template <class Op, class T> RT_KERNEL void reduce_block(const rt_in<T> x, const rt_out<T> out)
{
    const unsigned me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    T value = rt_block_reduce<Op>((T)x[blockIdx.x * threads + me]);
    if (me == 0) out[blockIdx.x] = value;
    value = rt_block_reduce<Op>((T)x[me]); // the shared words are used again
    if (me == 0 && blockIdx.x == 0) out[gridDim.x] = value;
}

template <class Op, class T> static void check_reduce(rt::region &rt, const char *what, const rt_size3 block)
{
    const int n_blocks = 3;
    const long threads = block.count();
    rt::list<T> x, out;
    for (long i = 0; i < n_blocks * threads; i++) x.push_back((T)(1 + (i * 37) % 11));
    out.assign(n_blocks + 1, T(0));
    rt::array<T> x_dev(rt, "x", x.begin(), n_blocks * threads), out_dev(rt, "out", out.begin(), n_blocks + 1);
    x_dev.copy_in(0, n_blocks * threads);
    rt.launch(what, 1, reduce_block<Op, T>, rt_dims(n_blocks), block, x_dev, out_dev);
    out_dev.copy_out(0, n_blocks + 1);
    for (int b = 0; b < n_blocks; b++) {
        T joined = Op::template identity<T>();
        for (long t = 0; t < threads; t++) joined = Op::template join<T>(joined, x[b * threads + t]);
        expect(joined == out[b], what);
    }
    expect(out[n_blocks] == out[0], what);
}

template <class Op, class T, int EXTENT, int STRIDE>
RT_KERNEL void join_groups(const rt_in<T> x, const rt_out<T> out, const rt_out<T> again)
{
    const unsigned me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    T value = x[me];
    value = rt_join<Op, EXTENT, STRIDE>(value);
    out[me] = value;
    value = x[me];
    value = rt_join<Op, EXTENT, STRIDE>(value); // the shared words are used again
    again[me] = value;
}

// Every thread of a group gets what its group joins to, `threads` in all.
template <class Op, class T, int EXTENT, int STRIDE>
static void check_join(rt::region &rt, const char *what, const rt_size3 block)
{
    const long threads = block.count();
    rt::list<T> x, out, again;
    for (long i = 0; i < threads; i++) x.push_back((T)(1 + (i * 37) % 11));
    out.assign(threads, T(0));
    again.assign(threads, T(0));
    rt::array<T> x_dev(rt, "x", x.begin(), threads), out_dev(rt, "out", out.begin(), threads),
        again_dev(rt, "again", again.begin(), threads);
    x_dev.copy_in(0, threads);
    rt.launch(what, 1, join_groups<Op, T, EXTENT, STRIDE>, rt_dims(1), block, x_dev, out_dev, again_dev);
    out_dev.copy_out(0, threads);
    again_dev.copy_out(0, threads);
    for (long t = 0; t < threads; t++) {
        const long first = t - t / STRIDE % EXTENT * STRIDE;
        T joined = Op::template identity<T>();
        for (long k = 0; k < EXTENT; k++) joined = Op::template join<T>(joined, x[first + k * STRIDE]);
        expect(joined == out[t] && out[t] == again[t], what);
    }
}

RT_KERNEL void transpose(const long n, const rt_in<float> a, const rt_out<float> b)
{
    RT_SHARED(float, tile, [32][33]);
    const long x0 = (long)blockIdx.x * 32, y0 = (long)blockIdx.y * 32;
    for (unsigned k = threadIdx.y; k < 32; k += 8) {
        if (y0 + k < n && x0 + threadIdx.x < n) tile[k][threadIdx.x] = a[(y0 + k) * n + x0 + threadIdx.x];
    }
    __syncthreads();
    for (unsigned k = threadIdx.y; k < 32; k += 8) {
        if (x0 + k < n && y0 + threadIdx.x < n) b[(x0 + k) * n + y0 + threadIdx.x] = tile[threadIdx.x][k];
    }
}

static void check_transpose(rt::region &rt)
{
    const long n = 77;
    static float a[n * n], b[n * n];
    for (long i = 0; i < n * n; i++) a[i] = (float)i;
    rt::array<float> a_dev(rt, "a", a, n * n), b_dev(rt, "b", b, n * n);
    a_dev.copy_in(0, n * n);
    rt.launch("transpose", 2, transpose, rt_dims(3, 3), rt_dims(8, 32), n, a_dev, b_dev);
    b_dev.copy_out(0, n * n);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) expect(b[j * n + i] == a[i * n + j], "transpose");
}

template <class T> RT_KERNEL void histogram(const long n, const rt_in<unsigned char> data, const rt_inout<T> bins)
{
    for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) {
        rt_atomic<rt_add>(bins[data[i] % 16], 1);
        rt_atomic<rt_mul>(bins[16], data[i] == 7 ? 2 : 1);
        rt_atomic<rt_min_op>(bins[17], data[i]);
        rt_atomic<rt_max_op>(bins[18], data[i]);
    }
}

template <class T> static void check_histogram(rt::region &rt, const char *what)
{
    const long n = 1000;
    unsigned char data[n];
    for (long i = 0; i < n; i++) data[i] = (unsigned char)(1 + (i * i) % 251);
    T bins[19] = {}, wanted[19] = {};
    bins[16] = wanted[16] = 1;
    bins[17] = wanted[17] = 100;
    for (long i = 0; i < n; i++) {
        wanted[data[i] % 16] += 1;
        wanted[16] *= data[i] == 7 ? 2 : 1;
        wanted[17] = rt_min(wanted[17], (T)data[i]);
        wanted[18] = rt_max(wanted[18], (T)data[i]);
    }
    rt::array<unsigned char> data_dev(rt, "data", data, n);
    rt::array<T> bins_dev(rt, "bins", bins, 19);
    data_dev.copy_in(0, n);
    bins_dev.copy_in(0, 19);
    rt.launch(what, 3, histogram<T>, rt_dims(3), rt_dims(128), n, data_dev, bins_dev);
    bins_dev.copy_out(0, 19);
    for (int i = 0; i < 19; i++) expect(bins[i] == wanted[i], what);
}

RT_KERNEL void bits(const rt_in<unsigned> x, const rt_inout<unsigned> out)
{
    rt_atomic<rt_and>(out[0], x[threadIdx.x]);
    rt_atomic<rt_or>(out[1], x[threadIdx.x]);
    rt_atomic<rt_xor>(out[2], x[threadIdx.x]);
}

static void check_bits(rt::region &rt)
{
    unsigned x[96], out[3] = {~0u, 0, 0}, wanted[3] = {~0u, 0, 0};
    for (unsigned i = 0; i < 96; i++) {
        x[i] = 0xf0000001u | i << 4;
        wanted[0] &= x[i], wanted[1] |= x[i], wanted[2] ^= x[i];
    }
    rt::array<unsigned> x_dev(rt, "x", x, 96), out_dev(rt, "out", out, 3);
    x_dev.copy_in(0, 96);
    out_dev.copy_in(0, 3);
    rt.launch("bits", 4, bits, rt_dims(1), rt_dims(96), x_dev, out_dev);
    out_dev.copy_out(0, 3);
    for (int i = 0; i < 3; i++) expect(out[i] == wanted[i], "bits");
}

RT_KERNEL void lanes(const rt_out<long> out)
{
    RT_SHARED(long, word, [64]);
    const int me = (int)threadIdx.x;
    const long down = __shfl_down_sync(0xffffffff, (long)me, 1), up = __shfl_up_sync(0xffffffff, (long)me, 1);
    const long across = __shfl_xor_sync(0xffffffff, (long)me, 5), first = __shfl_sync(0xffffffff, (long)me, 0);
    word[me] = down + 100 * up + 10000 * across + 1000000 * first;
    __syncwarp();
    out[me] = word[me ^ 31];
}

static void check_lanes(rt::region &rt)
{
    long out[64] = {};
    rt::array<long> out_dev(rt, "out", out, 64);
    rt.launch("lanes", 5, lanes, rt_dims(1), rt_dims(64), out_dev);
    out_dev.copy_out(0, 64);
    for (long t = 0; t < 64; t++) {
        const long me = t ^ 31, base = me / 32 * 32, lane = me % 32;
        expect(out[t] == (lane == 31 ? me : me + 1) + 100 * (lane == 0 ? me : me - 1) + 10000 * (base + (lane ^ 5)) +
                             1000000 * base,
               "lanes");
    }
}

// Threads take different ways through the loop, but all reach its barriers.
RT_KERNEL void scan(const rt_inout<int> x)
{
    RT_SHARED(int, sums, [2][100]);
    const int i = (int)threadIdx.x;
    int from = 0;
    sums[0][i] = x[i];
    for (int d = 1; d < 100; d *= 2) {
        __syncthreads();
        sums[1 - from][i] = sums[from][i] + (i >= d ? (int)sums[from][i - d] : 0);
        from = 1 - from;
    }
    x[i] = sums[from][i];
}

static void check_scan(rt::region &rt)
{
    int x[100];
    for (int i = 0; i < 100; i++) x[i] = i;
    rt::array<int> x_dev(rt, "x", x, 100);
    x_dev.copy_in(0, 100);
    rt.launch("scan", 6, scan, rt_dims(1), rt_dims(100), x_dev);
    x_dev.copy_out(0, 100);
    for (int i = 0; i < 100; i++) expect(x[i] == i * (i + 1) / 2, "scan");
}

// Operators on elements mean what they mean in C.
RT_KERNEL void operators(const rt_inout<short> s, const rt_inout<float> f, const rt_in<int> k)
{
    s[0] += 1.75;
    s[1] = s[2] = k[0];
    s[3] <<= 2;
    s[4] = -s[0] * s[1] % 5;
    s[5] = s[0] > 2 ? s[1] : s[2];
    s[6] = rt_mod(-7, k[1]) + 10 * rt_floordiv(-7, k[1]) + 100 * rt_ceildiv(-7, k[1]) + 1000 * rt_ceildiv(7, k[1]);
    f[0] *= 0.1;
    f[1] = fmaxf(f[0], f[2]) + (float)fabs(f[2]) + (float)rt_max(f[0], f[2]) + min(k[0], k[1]);
    f[2] -= f[0] / f[1];
}

static void check_operators(rt::region &rt)
{
    short s[7] = {1, 2, 3, 4, 5, 6, 7}, t[7] = {1, 2, 3, 4, 5, 6, 7};
    float f[3] = {1.5f, 0, -2.5f}, g[3] = {1.5f, 0, -2.5f};
    int k[2] = {40, 3};
    rt::array<short> s_dev(rt, "s", s, 7);
    rt::array<float> f_dev(rt, "f", f, 3);
    rt::array<int> k_dev(rt, "k", k, 2);
    s_dev.copy_in(0, 7);
    f_dev.copy_in(0, 3);
    k_dev.copy_in(0, 2);
    rt.launch("operators", 7, operators, rt_dims(1), rt_dims(1), s_dev, f_dev, k_dev);
    s_dev.copy_out(0, 7);
    f_dev.copy_out(0, 3);
    t[0] = (short)(t[0] + 1.75);
    t[1] = t[2] = (short)k[0];
    t[3] = (short)(t[3] << 2);
    t[4] = (short)(-t[0] * t[1] % 5);
    t[5] = t[0] > 2 ? t[1] : t[2];
    t[6] = 2 - 30 - 200 + 3000;
    g[0] = (float)(g[0] * 0.1);
    g[1] = fmaxf(g[0], g[2]) + fabsf(g[2]) + fmaxf(g[0], g[2]) + 3;
    g[2] = g[2] - g[0] / g[1];
    for (int i = 0; i < 7; i++) expect(s[i] == t[i], "operators on short");
    for (int i = 0; i < 3; i++) expect(fabsf(f[i] - g[i]) < 1e-6f, "operators on float");
}

static void check_positions()
{
    const long most = 0x7fffffff, many = 1L << 40;
    expect(rt::fit_in_32_bits({}) && rt::fit_in_32_bits({{0}}) && rt::fit_in_32_bits({{most}}), "positions that fit");
    expect(!rt::fit_in_32_bits({{most + 1}}) && !rt::fit_in_32_bits({{most}, {1}}), "one too many");
    expect(rt::fit_in_32_bits({{32768, 65535}, {2, 16383}}) && !rt::fit_in_32_bits({{32768, 65536}}), "products");
    expect(rt::fit_in_32_bits({{46340, 46340}, {3, 10000}}) && !rt::fit_in_32_bits({{46341, 46341}}), "squares");
    expect(!rt::fit_in_32_bits({{many, many}}) && !rt::fit_in_32_bits({{many, many, many, many}}), "products that wrap");
    expect(!rt::fit_in_32_bits({{1L << 32, 1L << 32}}) && !rt::fit_in_32_bits({{1L << 62, 4}}), "products that wrap to 0");
    expect(rt::fit_in_32_bits({{many, 0, many, many}, {7}}), "no elements");
    expect(!rt::fit_in_32_bits({{-1}}) && !rt::fit_in_32_bits({{-2, -3}}) && !rt::fit_in_32_bits({{0, -1}}), "less than 0");
}

int main()
try {
    rt::region rt("correct_0", "correct.c", 1);
    check_positions();
    check_reduce<rt_add, double>(rt, "sum of doubles", rt_dims(256));
    check_reduce<rt_add, int>(rt, "sum of ints", rt_dims(7, 11));
    check_reduce<rt_add, float>(rt, "sum of floats", rt_dims(3, 5, 7));
    check_reduce<rt_mul, unsigned long>(rt, "product", rt_dims(33));
    check_reduce<rt_min_op, long>(rt, "least", rt_dims(1));
    check_reduce<rt_max_op, float>(rt, "greatest", rt_dims(31));
    check_reduce<rt_fmax_op, double>(rt, "greatest number", rt_dims(77));
    check_reduce<rt_min_op, unsigned char>(rt, "least of bytes", rt_dims(100));
    check_reduce<rt_xor, unsigned>(rt, "xor", rt_dims(32, 32));
    check_reduce<rt_and, short>(rt, "and", rt_dims(48));
    check_reduce<rt_or, int>(rt, "or", rt_dims(2, 17));
    check_join<rt_add, double, 32, 1>(rt, "a warp each", rt_dims(8, 32));
    check_join<rt_add, float, 32, 16>(rt, "rows of a block", rt_dims(32, 16));
    check_join<rt_mul, unsigned long, 5, 7>(rt, "rows of no power of two", rt_dims(5, 7));
    check_join<rt_max_op, long, 8, 2>(rt, "groups in a warp", rt_dims(3, 8, 2));
    check_join<rt_min_op, unsigned char, 8, 1>(rt, "a warp that is not whole", rt_dims(5, 8));
    check_join<rt_xor, int, 96, 1>(rt, "more than a warp", rt_dims(2, 96));
    check_join<rt_add, short, 1, 32>(rt, "one alone", rt_dims(2, 32));
    check_transpose(rt);
    check_histogram<unsigned char>(rt, "histogram of unsigned char");
    check_histogram<short>(rt, "histogram of short");
    check_histogram<int>(rt, "histogram of int");
    check_histogram<unsigned long>(rt, "histogram of unsigned long");
    check_histogram<long>(rt, "histogram of long");
    check_histogram<float>(rt, "histogram of float");
    check_histogram<double>(rt, "histogram of double");
    check_bits(rt);
    check_lanes(rt);
    check_scan(rt);
    check_operators(rt);
    rt.done();
    printf("%s: %d wrong\n", rt::device_name(), n_wrong);
    return n_wrong > 0;
} catch (const rt::error &e) {
    return rt::failed(e);
}
