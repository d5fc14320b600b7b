// Vectors and asynchronous copies: right results and no finding, whatever the order of blocks and threads; and kernels
// with one fault each, for the simulation to find: argv[1] names the case. Without it, all that is right runs, on a GPU
// too. The comments `// plant.c:LINE` stand where the emitter would point to the user's C.
#include "rt_runtime.h"

static int n_wrong;

static void expect(const bool right, const char *what)
{
    if (right) return;
    n_wrong++;
    printf("wrong: %s\n", what);
}

// ---- what is right

// Vectors where they may begin, and elements elsewhere.
template <class T, int N> RT_KERNEL void add_one(const long n, const long shift, const rt_in<T> a, const rt_out<T> b)
{
    RT_LOCAL(T, x, [N]);
    const long i = ((long)blockIdx.x * blockDim.x + threadIdx.x) * N + shift;
    if (i + N <= n && rt_aligned<N>(a, i)) {
        rt_load_vector(x, a, i);
        RT_UNROLL
        for (int k = 0; k < N; k++) x[k] += 1;
        rt_store_vector(b, i, x);
    } else {
        for (int k = 0; k < N; k++)
            if (i + k < n) b[i + k] = a[i + k] + 1;
    }
}

template <class T, int N> static void check_vectors(rt::region &rt, const char *what)
{
    const long n = 1003;
    static T a[n], b[n];
    for (const long shift : {0, 1, 2}) {
        for (long i = 0; i < n; i++) a[i] = (T)(i * 7 % 101), b[i] = 0;
        rt::array<T> a_dev(rt, "a", a, n), b_dev(rt, "b", b, n);
        a_dev.copy_in(0, n);
        rt.launch(what, 1, add_one<T, N>, rt_dims((n + 32 * N - 1) / (32 * N)), rt_dims(32), n, shift, a_dev, b_dev);
        b_dev.copy_out(shift, n);
        for (long i = 0; i < n; i++) expect(b[i] == (i < shift ? 0 : (T)(i * 7 % 101 + 1)), what);
    }
}

// Vectors some of whose elements nobody has written: where they are used, that is seen in the simulation.
RT_KERNEL void add_in_part(const long n, const rt_in<float> a, const rt_out<float> b, const rt_out<int> spoilt)
{
    RT_LOCAL(float, x, [4]);
    const long i = threadIdx.x * 4;
    rt_load_vector_part(x, a, i);
    for (int k = 0; k < 4; k++) {
        spoilt[i + k] = x[k] != x[k];
        if (i + k >= 1 && i + k < n - 1) b[i + k] = x[k] + 1;
    }
}

static void check_part(rt::region &rt)
{
    const long n = 128;
    float a[n], b[n] = {};
    int spoilt[n];
    for (long i = 0; i < n; i++) a[i] = (float)i;
    rt::array<float> a_dev(rt, "a", a, n), b_dev(rt, "b", b, n);
    rt::array<int> spoilt_dev(rt, "spoilt", spoilt, n);
    a_dev.copy_in(1, n - 1);
    rt.launch("part", 2, add_in_part, rt_dims(1), rt_dims(n / 4), n, a_dev, b_dev, spoilt_dev);
    b_dev.copy_out(1, n - 1);
    spoilt_dev.copy_out(0, n);
    for (long i = 0; i < n; i++) {
        const bool is_inside = i >= 1 && i < n - 1;
        expect(b[i] == (is_inside ? (float)(i + 1) : 0), "vectors in part");
#ifdef RT_SIM
        expect(spoilt[i] == !is_inside, "elements of a vector in part that nobody has written");
#endif
    }
}

// A vector of a tile's row goes to device memory.
RT_KERNEL void turn(const rt_in<float> a, const rt_out<float> b)
{
    RT_SHARED(float, tile, [16][20]);
    RT_LOCAL(float, x, [4]);
    const int i = (int)threadIdx.x / 4, j = (int)threadIdx.x % 4 * 4;
    rt_load_vector(x, a, i * 16 + j);
    for (int k = 0; k < 4; k++) tile[j + k][i] = x[k];
    __syncthreads();
    rt_load_vector(x, tile[i], j);
    rt_store_vector(b, i * 16 + j, x);
}

static void check_turn(rt::region &rt)
{
    float a[256], b[256] = {};
    for (int i = 0; i < 256; i++) a[i] = (float)i;
    rt::array<float> a_dev(rt, "a", a, 256), b_dev(rt, "b", b, 256);
    a_dev.copy_in(0, 256);
    rt.launch("turn", 2, turn, rt_dims(1), rt_dims(64), a_dev, b_dev);
    b_dev.copy_out(0, 256);
    for (int i = 0; i < 256; i++) expect(b[i] == (float)(i % 16 * 16 + i / 16), "turn");
}

// Sums of what each block's threads copy to tiles, STAGES - 1 steps ahead of what they add.
template <class T, int N, int STAGES>
RT_KERNEL void pipeline(const int steps, const rt_in<T> a, const rt_out<T> sums)
{
    RT_SHARED(T, tile, [STAGES][64 * N]);
    const int t = (int)threadIdx.x;
    T sum = 0;
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < steps) rt_copy_async<N>(tile[s], t * N, a, (long)s * 64 * N + t * N);
        rt_commit_copies();
    }
    for (int s = 0; s < steps; s++) {
        rt_wait_copies<STAGES - 2>();
        __syncthreads();
        const int next = s + STAGES - 1;
        if (next < steps) rt_copy_async<N>(tile[next % STAGES], t * N, a, (long)next * 64 * N + t * N);
        rt_commit_copies();
        for (int k = 0; k < N; k++) sum += tile[s % STAGES][(t + 1) % 64 * N + k];
    }
    rt_wait_copies<0>();
    sums[t] = sum;
}

template <class T, int N, int STAGES> static void check_pipeline(rt::region &rt, const char *what)
{
    const int steps = 7, n = steps * 64 * N;
    T a[n], sums[64] = {};
    for (int i = 0; i < n; i++) a[i] = (T)(i * 5 % 37);
    rt::array<T> a_dev(rt, "a", a, n), sums_dev(rt, "sums", sums, 64);
    a_dev.copy_in(0, n);
    rt.launch(what, 3, pipeline<T, N, STAGES>, rt_dims(1), rt_dims(64), steps, a_dev, sums_dev);
    sums_dev.copy_out(0, 64);
    for (int t = 0; t < 64; t++) {
        T sum = 0;
        for (int s = 0; s < steps; s++)
            for (int k = 0; k < N; k++) sum += a[s * 64 * N + (t + 1) % 64 * N + k];
        expect(sums[t] == sum, what);
    }
}

// What a thread has copied itself it sees without a barrier.
RT_KERNEL void own(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    const int i = threadIdx.x;
    rt_copy_async<1>(tile, i, x, i);
    rt_commit_copies();
    rt_wait_copies<0>();
    y[i] = tile[i] + 1;
}

static void check_own(rt::region &rt)
{
    int x[64], y[64] = {};
    for (int i = 0; i < 64; i++) x[i] = i;
    rt::array<int> x_dev(rt, "x", x, 64), y_dev(rt, "y", y, 64);
    x_dev.copy_in(0, 64);
    rt.launch("own", 4, own, rt_dims(1), rt_dims(64), x_dev, y_dev);
    y_dev.copy_out(0, 64);
    for (int i = 0; i < 64; i++) expect(y[i] == i + 1, "own");
}

static void check_all(rt::region &rt)
{
    check_vectors<float, 4>(rt, "vectors of four floats");
    check_vectors<double, 2>(rt, "vectors of two doubles");
    check_vectors<double, 4>(rt, "vectors of four doubles");
    check_vectors<float, 3>(rt, "vectors of three floats");
    check_vectors<unsigned char, 4>(rt, "vectors of four bytes");
    check_vectors<unsigned char, 6>(rt, "vectors of six bytes");
    check_vectors<short, 8>(rt, "vectors of eight shorts");
    check_vectors<long, 1>(rt, "vectors of one");
    check_part(rt);
    check_turn(rt);
    check_pipeline<float, 4, 2>(rt, "a pipeline of two stages");
    check_pipeline<float, 1, 3>(rt, "a pipeline of three stages");
    check_pipeline<double, 2, 4>(rt, "a pipeline of four stages");
    check_pipeline<short, 2, 2>(rt, "a pipeline of shorts");
    check_own(rt);
}

// ---- faults

RT_KERNEL void vector_misaligned(const rt_in<int> x, const rt_out<int> y)
{
    RT_LOCAL(int, v, [4]);
    rt_load_vector(v, x, threadIdx.x % 4 * 2); // plant.c:10
    y[threadIdx.x] = v[0];
}

RT_KERNEL void vector_misaligned_store(const rt_out<int> y)
{
    RT_LOCAL(int, v, [2]);
    v[0] = v[1] = 1;
    if (threadIdx.x == 0) rt_store_vector(y, 3, v); // plant.c:20
}

RT_KERNEL void vector_out_of_bounds(const rt_in<int> x, const rt_out<int> y)
{
    RT_LOCAL(int, v, [4]);
    rt_load_vector(v, x, threadIdx.x * 2 / 4 * 4 + 4); // plant.c:30
    y[threadIdx.x] = v[3];
}

RT_KERNEL void part_out_of_bounds(const rt_in<int> x, const rt_out<int> y)
{
    RT_LOCAL(int, v, [4]);
    rt_load_vector_part(v, x, threadIdx.x * 2 / 4 * 4 + 4); // plant.c:35
    y[threadIdx.x] = v[0];
}

RT_KERNEL void vector_out_of_row(const rt_out<int> y)
{
    RT_SHARED(int, tile, [64][2]);
    RT_LOCAL(int, v, [4]);
    tile[threadIdx.x][0] = tile[threadIdx.x][1] = 1;
    __syncthreads();
    rt_load_vector(v, tile[threadIdx.x / 2 * 2], 0); // plant.c:40
    y[threadIdx.x] = v[3];
}

RT_KERNEL void vectors_overlap(const rt_out<int> y)
{
    RT_LOCAL(int, v, [4]);
    for (int k = 0; k < 4; k++) v[k] = (int)threadIdx.x;
    rt_store_vector(y, threadIdx.x / 2 * 4, v); // plant.c:50
}

RT_KERNEL void vector_uninitialised(const rt_inout<int> y)
{
    RT_LOCAL(int, v, [2]);
    rt_load_vector(v, y, threadIdx.x * 2); // plant.c:60
    rt_store_vector(y, threadIdx.x * 2, v);
}

RT_KERNEL void no_wait(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    rt_copy_async<1>(tile, threadIdx.x, x, threadIdx.x); // plant.c:70
    rt_commit_copies();
    __syncthreads();
    y[threadIdx.x] = tile[63 - threadIdx.x]; // plant.c:71
    rt_wait_copies<0>();
}

RT_KERNEL void no_wait_for_its_own(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    tile[threadIdx.x] = 1;
    y[threadIdx.x] = tile[threadIdx.x];
    rt_copy_async<1>(tile, threadIdx.x, x, threadIdx.x); // plant.c:80
    rt_commit_copies();
    y[threadIdx.x] = tile[threadIdx.x]; // plant.c:81
    rt_wait_copies<0>();
}

RT_KERNEL void no_commit(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    rt_copy_async<1>(tile, threadIdx.x, x, threadIdx.x); // plant.c:90
    rt_wait_copies<0>();
    __syncthreads();
    y[threadIdx.x] = tile[63 - threadIdx.x]; // plant.c:91
    rt_commit_copies();
    rt_wait_copies<0>();
}

RT_KERNEL void wait_for_too_few(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [2][64]);
    for (int s = 0; s < 2; s++) {
        rt_copy_async<1>(tile[s], threadIdx.x, x, threadIdx.x); // plant.c:100
        rt_commit_copies();
    }
    rt_wait_copies<1>();
    __syncthreads();
    y[threadIdx.x] = tile[1][63 - threadIdx.x]; // plant.c:101
    rt_wait_copies<0>();
}

RT_KERNEL void no_barrier_after_wait(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    rt_copy_async<1>(tile, threadIdx.x, x, threadIdx.x); // plant.c:110
    rt_commit_copies();
    rt_wait_copies<0>();
    y[threadIdx.x] = tile[63 - threadIdx.x]; // plant.c:111
}

RT_KERNEL void barrier_before_wait(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    rt_copy_async<1>(tile, threadIdx.x, x, threadIdx.x); // plant.c:115
    rt_commit_copies();
    __syncthreads();
    rt_wait_copies<0>();
    y[threadIdx.x] = tile[threadIdx.x ^ 1]; // plant.c:116
}

RT_KERNEL void copied_too_early(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    int sum = 0;
    for (int s = 0; s < 2; s++) {
        rt_copy_async<1>(tile, threadIdx.x, x, threadIdx.x + s); // plant.c:120
        rt_commit_copies();
        rt_wait_copies<0>();
        __syncthreads();
        sum += tile[63 - threadIdx.x]; // plant.c:121
    }
    y[threadIdx.x] = sum;
}

RT_KERNEL void overwritten(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    rt_copy_async<1>(tile, threadIdx.x, x, threadIdx.x); // plant.c:130
    rt_commit_copies();
    tile[threadIdx.x] = 1; // plant.c:131
    rt_wait_copies<0>();
    y[threadIdx.x] = tile[threadIdx.x];
}

RT_KERNEL void never_waited(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    rt_copy_async<1>(tile, threadIdx.x, x, threadIdx.x); // plant.c:140
    rt_commit_copies();
    y[threadIdx.x] = 0;
}

RT_KERNEL void copy_misaligned(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64][4]);
    rt_copy_async<4>(tile[threadIdx.x], 0, x, threadIdx.x + 1); // plant.c:150
    rt_commit_copies();
    rt_wait_copies<0>();
    y[threadIdx.x] = tile[threadIdx.x][0];
}

RT_KERNEL void copy_out_of_bounds(const rt_in<int> x, const rt_out<int> y)
{
    RT_SHARED(int, tile, [64][4]);
    rt_copy_async<4>(tile[threadIdx.x], 0, x, threadIdx.x * 4); // plant.c:160
    rt_commit_copies();
    rt_wait_copies<0>();
    y[threadIdx.x] = tile[threadIdx.x][0];
}

#define PLANT(kernel, ...)                                                                                             \
    if (strcmp(which, #kernel) == 0) rt.launch(#kernel, 5, kernel, rt_dims(1), rt_dims(64), __VA_ARGS__);
static void run_fault(rt::region &rt, const char *const which)
{
    int x_host[128] = {}, y_host[128] = {};
    rt::array<int> x(rt, "x", x_host, 128);
    rt::array<int> y(rt, "y", y_host, 128);
    x.copy_in(0, 128);
    if (strcmp(which, "vector_uninitialised") != 0) y.copy_in(0, 128);
    PLANT(vector_misaligned, x, y)
    PLANT(vector_misaligned_store, y)
    PLANT(vector_out_of_bounds, x, y)
    PLANT(part_out_of_bounds, x, y)
    PLANT(vector_out_of_row, y)
    PLANT(vectors_overlap, y)
    PLANT(vector_uninitialised, y)
    PLANT(no_wait, x, y)
    PLANT(no_wait_for_its_own, x, y)
    PLANT(no_commit, x, y)
    PLANT(wait_for_too_few, x, y)
    PLANT(no_barrier_after_wait, x, y)
    PLANT(barrier_before_wait, x, y)
    PLANT(copied_too_early, x, y)
    PLANT(overwritten, x, y)
    PLANT(never_waited, x, y)
    PLANT(copy_misaligned, x, y)
    PLANT(copy_out_of_bounds, x, y)
}

int main(const int argc, char **const argv)
try {
    rt::region rt("wide_0", "plant.c", 1);
    if (argc > 1) {
        run_fault(rt, argv[1]);
        return 0;
    }
    check_all(rt);
    rt.done();
    printf("%s: %d wrong\n", rt::device_name(), n_wrong);
    return n_wrong > 0;
} catch (const rt::error &e) {
    return rt::failed(e);
}
