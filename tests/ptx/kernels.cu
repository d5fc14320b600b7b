// Kernels that use what PTX has, each with a plain loop in tests/ptx.rs that says what it computes.
#include <cooperative_groups.h>
#include <cuda_fp16.h>

struct Shape {
    int n;
    float scale[3];
    double shift;
};

__constant__ float table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__device__ int counter = 5;

__device__ __noinline__ float polynomial(float x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) sum = sum * x + i;
    return sum;
}

// A block's sum by shared memory, then by shuffles; the blocks' by atomics.
extern "C" __global__ void total(const float *a, float *sum, int n)
{
    extern __shared__ float part[];
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += a[i];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half >= 32; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        mine = part[threadIdx.x];
        for (int by = 16; by > 0; by /= 2) mine += __shfl_down_sync(0xffffffff, mine, by);
        if (threadIdx.x == 0) atomicAdd(sum, mine);
    }
}

// Paths that part, loops of different length, a table, a function, a structure, an array of the thread.
extern "C" __global__ void paths(const int *a, float *b, const Shape s)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.n) return;
    float local[8];
    for (int k = 0; k < 8; k++) local[k] = k * a[i];
    float x = 0;
    switch (a[i] % 6) {
    case 0: x = 1; break;
    case 1: x = s.scale[1]; break;
    case 2: x = polynomial(s.scale[0], a[i]); break;
    case 3: x = table[a[i] & 7]; break;
    case 4:
        for (int k = 0; k < a[i]; k++) {
            if (k * k > 3 * a[i]) break;
            x += k;
        }
        break;
    default: x = local[a[i] & 7];
    }
    b[i] = x + (float)s.shift;
}

extern "C" __global__ void singles(const float *a, float *b)
{
    const int i = threadIdx.x;
    const float x = a[i];
    b[8 * i] = expf(x);
    b[8 * i + 1] = sinf(x * 1000);
    b[8 * i + 2] = logf(x + 1);
    b[8 * i + 3] = powf(x, 2.5f);
    b[8 * i + 4] = 1 / (x + 1) + sqrtf(x);
    b[8 * i + 5] = __half2float(__float2half(x));
    b[8 * i + 6] = tanhf(x);
    b[8 * i + 7] = fmodf(x, 0.7f);
}

extern "C" __global__ void doubles(const double *a, double *b)
{
    const int i = threadIdx.x;
    const double x = a[i];
    b[8 * i] = exp(x);
    b[8 * i + 1] = sin(x * 1e6);
    b[8 * i + 2] = log(x + 1);
    b[8 * i + 3] = pow(x + 0.5, 2.5);
    b[8 * i + 4] = 1 / (x + 1) + sqrt(x);
    b[8 * i + 5] = __dadd_ru(x, 1e-30);
    b[8 * i + 6] = cbrt(x);
    b[8 * i + 7] = (double)(long long)(x * 1e6) / 3;
}

extern "C" __global__ void integers(const int *a, long long *b)
{
    const int i = threadIdx.x;
    const long long x = a[i] * 1234567LL - 99;
    b[8 * i] = x / 7 + x % 11;
    b[8 * i + 1] = __popc(a[i]) + 100 * __clz(a[i]) + 10000 * __ffs(a[i]);
    b[8 * i + 2] = __mul64hi(x << 30, x << 20);
    b[8 * i + 3] = (unsigned)a[i] / 3u + (unsigned)a[i] % 5u;
    b[8 * i + 4] = __brev(a[i]) ^ __byte_perm(a[i], 0x12345678, 0x3415);
    b[8 * i + 5] = (x >> (i % 40)) ^ (x << (i % 50));
    b[8 * i + 6] = __ballot_sync(0xffffffff, a[i] & 1) + __reduce_max_sync(0xffffffff, a[i]);
    b[8 * i + 7] = (char)a[i] * (short)(a[i] * 300) + __shfl_xor_sync(0xffffffff, a[i], 5);
    atomicMax(&counter, a[i]);
}

// Vectors of four and of two, and bytes.
extern "C" __global__ void vectors(const float4 *a, float2 *b, unsigned char *c)
{
    const int i = threadIdx.x;
    const float4 v = a[i];
    b[i] = make_float2(v.x + v.z, v.y * v.w);
    c[i] = (unsigned char)(v.x * 10);
}

// Many values that are needed at once.
extern "C" __global__ void wide(const float *a, float *b)
{
    float v[48], sum = 0;
#pragma unroll
    for (int k = 0; k < 48; k++) v[k] = a[1024 * k + threadIdx.x];
#pragma unroll
    for (int k = 0; k < 48; k++) sum += v[k];
#pragma unroll
    for (int k = 0; k < 48; k++) b[1024 * k + threadIdx.x] = v[k] / sum;
}

// Steps that all blocks take together.
extern "C" __global__ void steps(int *a, int n, int times)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int t = 0; t < times; t++) {
        const int next = a[(i + 1) % n];
        cooperative_groups::this_grid().sync();
        a[i] = next + 1;
        cooperative_groups::this_grid().sync();
    }
}

// Subscripts that the data choose in part: eight members of an element, by neighbouring threads, and by the loop of one.
extern "C" __global__ void members(const int *element, const double *u, double *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < 8 * n) out[t] = u[element[t / 8] * 8 + t % 8];
}

extern "C" __global__ void elements(const int *element, const double *u, double *out, int n, int m)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n) return;
    double sum = 0;
#pragma unroll 1
    for (int c = 0; c < m; c++) sum += u[element[e] * 8 + c];
    out[e] = sum;
}
