// Words that CUDA has without being asked and C has not: included in front of kernels that are read as C.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Words of functions that stand in headers of the user's.
#define __device__
#define __host__
#define __forceinline__ inline

#ifndef min
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#define __ldg(p) (*(p))
#define __mul24(a, b) ((a) * (b))
#define __umul24(a, b) ((a) * (b))
#define __fdividef(a, b) ((a) / (b))
#define __expf(x) expf(x)
#define __logf(x) logf(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __powf(x, y) powf(x, y)
#define rsqrtf(x) (1.0f / sqrtf(x))
#define rsqrt(x) (1.0 / sqrt(x))

// CUDA's small vectors.
#define RT_VECTORS(type, name) \
    typedef struct name##2 { type x, y; } name##2; \
    typedef struct name##3 { type x, y, z; } name##3; \
    typedef struct name##4 { type x, y, z, w; } name##4;
RT_VECTORS(float, float)
RT_VECTORS(double, double)
RT_VECTORS(int, int)
RT_VECTORS(unsigned, uint)
