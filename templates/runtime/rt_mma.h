// Products of matrices that the threads of a warp hold together, in registers: c += a * b.
//
//   rt_mma_16x8x4(c0, c1, c2, c3, a0, a1, b0)    a has 16 x 4 elements of 64 bits, b 4 x 8
// Of the lane l of a warp, with g = l / 4 and q = l % 4: a0 and a1 are a[g][q] and a[g + 8][q], b0 is b[q][g]; c0 and c1
// are c[g][2 q] and the next in its row, c2 and c3 the same of row g + 8. Each c adds its four products by rising k, each
// fused with its addition.
#pragma once

#include "rt_math.h"

#ifdef RT_SIM
#include "rt_sim_mma.h"
#else

RT_DEVICE void rt_mma_16x8x4(double &c0, double &c1, double &c2, double &c3, const double a0, const double a1,
                             const double b0)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(c0), "+d"(c1), "+d"(c2), "+d"(c3)
        : "d"(a0), "d"(a1), "d"(b0));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    // The upper half of the rows, then the lower.
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c0), "+d"(c1)
        : "d"(a0), "d"(b0));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c2), "+d"(c3)
        : "d"(a1), "d"(b0));
#else
    // Devices before sm_80 multiply by themselves what other lanes hand them.
    const unsigned lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
#pragma unroll
    for (unsigned k = 0; k < 4; k++) {
        const double above = __shfl_sync(~0u, a0, lane / 4 * 4 + k), below = __shfl_sync(~0u, a1, lane / 4 * 4 + k);
        const double left = __shfl_sync(~0u, b0, lane % 4 * 8 + k), right = __shfl_sync(~0u, b0, lane % 4 * 8 + 4 + k);
        c0 = fma(above, left, c0), c1 = fma(above, right, c1);
        c2 = fma(below, left, c2), c3 = fma(below, right, c3);
    }
#endif
}

#endif
