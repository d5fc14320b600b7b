// Kernels with one fault each, for the simulation to find: argv[1] names the case. The comments `// plant.c:LINE`
// stand where the emitter would point to the user's C.
#include "rt_runtime.h"

RT_KERNEL void race_in_block(const rt_out<int> y)
{
    y[threadIdx.x / 2] = threadIdx.x; // plant.c:10
}

RT_KERNEL void race_between_blocks(const rt_out<int> y)
{
    y[threadIdx.x] = blockIdx.x; // plant.c:20
}

RT_KERNEL void race_read_write(const rt_inout<int> y)
{
    const int i = threadIdx.x;
    if (i > 0) y[i] = y[i - 1]; // plant.c:30
}

RT_KERNEL void race_read_other_block(const rt_in<int> x, const rt_out<int> y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[0]; // plant.c:35
    // plant.c:36
    if (i == 70) y[0] = 1;
}

RT_KERNEL void race_shared(const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    const int i = threadIdx.x;
    tile[i] = i;         // plant.c:40
    y[i] = tile[63 - i]; // plant.c:41
}

RT_KERNEL void race_atomic(const rt_inout<int> y)
{
    rt_atomic<rt_add>(y[0], 1);     // plant.c:45
    if (threadIdx.x == 5) y[0] = 0; // plant.c:46
}

RT_KERNEL void out_of_bounds_read(const rt_in<int> x, const rt_out<int> y)
{
    y[threadIdx.x] = x[threadIdx.x + 65]; // plant.c:50
}

RT_KERNEL void out_of_bounds_write(const rt_out<int> y)
{
    y[(int)threadIdx.x - 1] = 1; // plant.c:60
}

RT_KERNEL void out_of_bounds_shared(const rt_out<int> y)
{
    RT_SHARED(int, tile, [4][33]);
    tile[threadIdx.x / 32][threadIdx.x % 32 + 2] = 1; // plant.c:70
    __syncthreads();
    y[threadIdx.x] = tile[threadIdx.x / 16][2]; // plant.c:71
}

RT_KERNEL void out_of_bounds_local(const rt_in<int> x, const rt_out<int> y)
{
    RT_LOCAL(int, w, [2][9]);
    for (int k = 0; k <= 9; k++) w[1][k] = k + x[0]; // plant.c:75
    y[threadIdx.x] = w[1][3];
}

RT_KERNEL void barrier_in_branch(const rt_out<int> y)
{
    if (threadIdx.x < 16) __syncthreads(); // plant.c:80
    y[threadIdx.x] = 1;
}

RT_KERNEL void barrier_after_exit(const rt_out<int> y)
{
    y[threadIdx.x] = 1;
    if (threadIdx.x == 3) return;
    __syncthreads(); // plant.c:90
}

RT_KERNEL void barriers_apart(const rt_out<int> y)
{
    if (threadIdx.x < 16) {
        __syncthreads(); // plant.c:95
    } else {
        __syncthreads(); // plant.c:96
    }
    y[threadIdx.x] = 1;
}

RT_KERNEL void reduce_in_branch(const rt_out<int> y)
{
    y[threadIdx.x] = 0;
    if (threadIdx.x < 40) y[threadIdx.x] = rt_block_reduce<rt_add>(1); // plant.c:98
}

RT_KERNEL void uninitialised_read(const rt_inout<int> y)
{
    y[threadIdx.x] += 1; // plant.c:100
}

RT_KERNEL void uninitialised_shared(const rt_out<int> y)
{
    RT_SHARED(int, tile, [64]);
    if (threadIdx.x % 2 == 0 || blockIdx.x == 0) tile[threadIdx.x] = 1;
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x]; // plant.c:110
}

RT_KERNEL void uninitialised_copy_out(const rt_out<int> y)
{
    if (threadIdx.x != 7) y[threadIdx.x] = 1;
}

RT_KERNEL void missing_lanes(const rt_out<int> y)
{
    y[threadIdx.x] = 0;
    if (threadIdx.x % 32 < 8) y[threadIdx.x] = __shfl_down_sync(0xffffffff, (int)threadIdx.x, 1); // plant.c:120
}

RT_KERNEL void no_fault(const rt_in<int> x, const rt_out<int> y)
{
    y[blockIdx.x * 64 + threadIdx.x] = x[threadIdx.x];
}

extern "C" int rt_plant_0(const char *const which, const void *const x_host, void *const y_host)
try {
    rt::region rt("plant_0", "plant.c", 1);
    rt::array<int> x(rt, "x", x_host, 128);
    rt::array<int> y(rt, "y", y_host, 128);
    x.copy_in(0, 128);
    const bool some_of_y = strcmp(which, "uninitialised_read") == 0;
    y.copy_in(0, some_of_y ? 60 : strcmp(which, "uninitialised_copy_out") == 0 ? 0 : 128);
#define PLANT(kernel, blocks, ...)                                                                                     \
    if (strcmp(which, #kernel) == 0) rt.launch(#kernel, 5, kernel, rt_dims(blocks), rt_dims(64), __VA_ARGS__);
    PLANT(race_in_block, 1, y)
    PLANT(race_between_blocks, 2, y)
    PLANT(race_read_write, 1, y)
    PLANT(race_read_other_block, 2, y, y)
    PLANT(race_shared, 1, y)
    PLANT(race_atomic, 1, y)
    PLANT(out_of_bounds_read, 1, x, y)
    PLANT(out_of_bounds_write, 1, y)
    PLANT(out_of_bounds_shared, 1, y)
    PLANT(out_of_bounds_local, 1, x, y)
    PLANT(barrier_in_branch, 1, y)
    PLANT(barrier_after_exit, 1, y)
    PLANT(barriers_apart, 1, y)
    PLANT(reduce_in_branch, 1, y)
    PLANT(uninitialised_read, 1, y)
    PLANT(uninitialised_shared, 2, y)
    PLANT(uninitialised_copy_out, 1, y)
    PLANT(missing_lanes, 1, y)
    PLANT(no_fault, 2, x, y)
    y.copy_out(0, 64);
    rt.done();
    return 1;
} catch (const rt::error &e) {
    return rt::failed(e);
}

int main(int, char **argv)
{
    int x[128] = {}, y[128] = {};
    if (!rt_plant_0(argv[1], x, y)) puts("the original loops would run");
    return 0;
}
