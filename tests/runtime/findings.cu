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

// ---- blocks that are resident

RT_KERNEL void no_grid_barrier(const rt_exchanged<int> y, rt_lock_free_barrier)
{
    if (threadIdx.x > 0) return;
    y[blockIdx.x] = 1;                              // plant.c:130
    y[8 + blockIdx.x] = y[blockIdx.x == 0 ? 1 : 0]; // plant.c:131
}

RT_KERNEL void block_barrier_for_grid(const rt_exchanged<int> y, rt_cooperative_barrier rt_barrier)
{
    RT_GRID_BARRIER(rt_barrier);
    if (threadIdx.x == 0) y[blockIdx.x] = 1; // plant.c:135
    __syncthreads();
    if (threadIdx.x == 0) y[8 + blockIdx.x] = y[blockIdx.x == 0 ? 1 : 0]; // plant.c:136
    RT_GRID_BARRIER(rt_barrier);
}

// The barrier orders what is before it, not what comes after.
RT_KERNEL void write_too_early(const rt_exchanged<int> y, rt_cooperative_barrier rt_barrier)
{
    const int from = blockIdx.x == 0 ? 1 : 0, me = (int)blockIdx.x;
    for (int t = 0; t < 3; t++) {
        if (threadIdx.x == 0) y[me] = t; // plant.c:138
        RT_GRID_BARRIER(rt_barrier);
        if (threadIdx.x == 0) y[8 + me] = y[from]; // plant.c:139
    }
}

RT_KERNEL void grid_barrier_in_branch(const rt_exchanged<int> y, rt_cooperative_barrier rt_barrier)
{
    y[blockIdx.x * 16 + threadIdx.x % 16] = 1;
    if (blockIdx.x == 1) RT_GRID_BARRIER(rt_barrier); // plant.c:140
}

RT_KERNEL void grid_barrier_for_some_threads(const rt_exchanged<int> y, rt_lock_free_barrier rt_barrier)
{
    if (threadIdx.x < 40) RT_GRID_BARRIER(rt_barrier); // plant.c:145
    y[blockIdx.x * 64 + threadIdx.x] = 1;
}

RT_KERNEL void grid_barrier_too_often(const rt_exchanged<int>, rt_lock_free_barrier rt_barrier)
{
    for (unsigned t = 0; t <= blockIdx.x; t++) RT_GRID_BARRIER(rt_barrier); // plant.c:150
}

RT_KERNEL void grid_barriers_apart(const rt_exchanged<int>, rt_lock_free_barrier rt_barrier)
{
    if (blockIdx.x == 0) {
        RT_GRID_BARRIER(rt_barrier); // plant.c:155
    } else {
        RT_GRID_BARRIER(rt_barrier); // plant.c:156
    }
}

RT_KERNEL void grid_or_block_barrier(const rt_exchanged<int>, rt_lock_free_barrier rt_barrier)
{
    if (threadIdx.x == 5) {
        RT_GRID_BARRIER(rt_barrier); // plant.c:157
    } else {
        __syncthreads(); // plant.c:158
    }
}

// ---- blocks that wait for their neighbours alone

RT_KERNEL void no_neighbour(const rt_exchanged<int> y, rt_relaxed_barrier rt_barrier)
{
    const int me = (int)blockIdx.x;
    if (threadIdx.x == 0) y[me] = 1; // plant.c:200
    RT_GRID_WAIT(rt_barrier);
    if (threadIdx.x == 0) y[16 + me] = y[(me + 3) % 7]; // plant.c:201
}

// The flag says that the block has come to the wait, and what it writes comes after.
RT_KERNEL void flag_too_early(const rt_exchanged<int> y, rt_relaxed_barrier rt_barrier)
{
    const int me = (int)blockIdx.x;
    RT_GRID_WAIT(rt_barrier);
    if (threadIdx.x == 0) y[me] = 1;                    // plant.c:205
    if (threadIdx.x == 0) y[16 + me] = y[(me + 1) % 7]; // plant.c:206
}

// One buffer, where a neighbour may still read what it held at the step before.
RT_KERNEL void buffer_too_early(const rt_exchanged<int> y, rt_relaxed_barrier rt_barrier)
{
    const int me = (int)blockIdx.x;
    for (int t = 0; t < 3; t++) {
        if (threadIdx.x == 0) y[me] = t; // plant.c:210
        RT_GRID_WAIT(rt_barrier);
        if (threadIdx.x == 0) y[16 + me] = y[(me + 1) % 7]; // plant.c:211
    }
}

RT_KERNEL void wait_in_branch(const rt_exchanged<int>, rt_relaxed_barrier rt_barrier)
{
    if (blockIdx.x != 3) RT_GRID_WAIT(rt_barrier); // plant.c:215
}

// Rows of three, and waits as if there were one block in each.
RT_KERNEL void wrong_rows(const rt_exchanged<int> y, rt_relaxed_barrier rt_barrier)
{
    const int me = (int)blockIdx.x;
    if (threadIdx.x == 0) y[me] = 1; // plant.c:220
    RT_GRID_WAIT(rt_barrier, 1);
    if (threadIdx.x == 0) y[16 + me] = y[me < 3 ? me + 3 : 0]; // plant.c:221
}

RT_KERNEL void read_only_path(const rt_exchanged<int> y, const rt_in<int> y_too, rt_lock_free_barrier rt_barrier)
{
    if (threadIdx.x == 0) y[blockIdx.x] = 1; // plant.c:160
    RT_GRID_BARRIER(rt_barrier);
    if (threadIdx.x == 0) y[8 + blockIdx.x] = y_too[1 - blockIdx.x]; // plant.c:161
}

RT_KERNEL void kept_over_grid_barrier(const rt_inout<int> y, rt_cooperative_barrier rt_barrier)
{
    if (threadIdx.x == 0) y[blockIdx.x] = 1; // plant.c:165
    RT_GRID_BARRIER(rt_barrier);
    if (threadIdx.x == 0) y[8 + blockIdx.x] = y[1 - blockIdx.x]; // plant.c:166
}

RT_KERNEL void kept_over_block_barrier(const rt_inout<int> y)
{
    const int i = threadIdx.x, held = y[63 - i]; // plant.c:170
    __syncthreads();
    y[i] = held; // plant.c:171
}

RT_DEVICE void mirror(const rt_inout<int> y RT_WHERE)
{
    const int i = threadIdx.x, held = y[63 - i]; // plant.c:180
    __syncthreads(RT_AT_ONLY);
    y[i] = held; // plant.c:181
}

RT_KERNEL void kept_in_a_function(const rt_exchanged<int> y)
{
    mirror(y);
}

RT_KERNEL void tile_of_another_block(const rt_exchanged<int> y, rt_lock_free_barrier rt_barrier)
{
    RT_SHARED(int, tile, [1]);
    if (blockIdx.x == 1 && threadIdx.x == 0) tile[0] = 7;
    RT_GRID_BARRIER(rt_barrier);
    if (threadIdx.x == 0) y[blockIdx.x] = tile[0]; // plant.c:175
}

RT_KERNEL void no_fault(const rt_in<int> x, const rt_out<int> y)
{
    y[blockIdx.x * 64 + threadIdx.x] = x[threadIdx.x];
}

RT_KERNEL void taken_too_early(const rt_exchanged<unsigned> y)
{
    if (threadIdx.x == 0) y[0] = rt_nothing<int>();
    if (threadIdx.x == 0) rt_take<int>(y[0]); // plant.c:185
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
    PLANT(taken_too_early, 1, y)
    PLANT(no_fault, 2, x, y)
    PLANT(kept_over_block_barrier, 1, y)
    PLANT(kept_in_a_function, 1, y)
#define PLANT_RESIDENT(kernel, ...)                                                                                    \
    if (strcmp(which, #kernel) == 0) rt.launch_resident(#kernel, 6, kernel, 2, rt_dims(64), __VA_ARGS__);
    PLANT_RESIDENT(no_grid_barrier, y)
    PLANT_RESIDENT(block_barrier_for_grid, y)
    PLANT_RESIDENT(write_too_early, y)
    PLANT_RESIDENT(grid_barrier_in_branch, y)
    PLANT_RESIDENT(grid_barrier_for_some_threads, y)
    PLANT_RESIDENT(grid_barrier_too_often, y)
    PLANT_RESIDENT(grid_barriers_apart, y)
    PLANT_RESIDENT(grid_or_block_barrier, y)
    PLANT_RESIDENT(read_only_path, y, y)
    PLANT_RESIDENT(kept_over_grid_barrier, y)
    PLANT_RESIDENT(tile_of_another_block, y)
#define PLANT_RELAXED(kernel)                                                                                          \
    if (strcmp(which, #kernel) == 0) rt.launch_resident(#kernel, 7, kernel, 7, rt_dims(64), y);
    PLANT_RELAXED(no_neighbour)
    PLANT_RELAXED(flag_too_early)
    PLANT_RELAXED(buffer_too_early)
    PLANT_RELAXED(wait_in_branch)
    PLANT_RELAXED(wrong_rows)
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
