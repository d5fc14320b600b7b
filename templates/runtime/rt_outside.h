// Arrays whose subscripts the data decide, of which no more is on the device than the block behind the pointer holds: an
// access that leads out of it is held back. The thread goes on with a zero, and the entry is told before anything goes home.
#pragma once

#include "rt_cuda.h"

// Of this file's kernels.
static __device__ int rt_outside_any = 0;
// The place of an element that is not there, for what is written to it.
static __device__ __align__(16) char rt_nowhere[16];

// Test that a loop goes on whose end the data decide: it may have read a zero in the place of an element that is not there. The flag
// lies in memory that is not cached nearby, so a look at each turn would take longer than most bodies do.
RT_DEVICE bool rt_goes_on(unsigned &turns) { return ++turns % 64 != 0 || *(volatile int *)&rt_outside_any == 0; }

template <class T> struct rt_held_exchanged {
    static constexpr bool is_held = true;
    T *data;
    long extent;

    __device__ T &operator[](const long i) const
    {
        if ((unsigned long)i < (unsigned long)extent) return data[i];
        *(volatile int *)&rt_outside_any = 1;
        return *(T *)rt_nowhere;
    }
};
template <class T> using rt_held_out = rt_held_exchanged<T>;
template <class T> using rt_held_inout = rt_held_exchanged<T>;
template <class T> struct rt_held_in {
    static constexpr bool is_held = true;
    const T *__restrict__ data;
    long extent;

    __host__ __device__ rt_held_in(const T *const data, const long extent) : data(data), extent(extent) {}
    __device__ rt_held_in(const rt_held_exchanged<T> &a) : data(a.data), extent(a.extent) {}
    __device__ T operator[](const long i) const
    {
        if ((unsigned long)i < (unsigned long)extent) return data[i];
        *(volatile int *)&rt_outside_any = 1;
        return T(0);
    }
};

#if !defined(RT_APART) || defined(__CUDACC__) // elsewhere the variable has no place, and the file is compiled as a whole
namespace rt {

// Test that some access of the region's kernels was held back.
[[maybe_unused]] static bool was_outside(const place &at)
{
    int any = 0;
    check_cuda(at, cudaMemcpyFromSymbol(&any, rt_outside_any, sizeof any), "copy to the host", "what was held back");
    if (!any) return false;
    const int none = 0;
    check_cuda(at, cudaMemcpyToSymbol(rt_outside_any, &none, sizeof none), "copy to the device", "what was held back");
    return true;
}

} // namespace rt
#endif
