// Code of a file for the device: loaded where CUDA starts, since the first that is asked of it takes half a millisecond.
//
// A file may be compiled in two parts (-DRT_APART), as `rtcuda tune` does: code for the device by nvcc, and the host's by g++
// alone, in which kernels are declared. There the place of a kernel is its name, by which the code, which lies beside, is asked.
#pragma once

#include <cuda_runtime.h>

#if defined(RT_APART) && !defined(__CUDACC__)

#include "rt_apart.h"

#else

#ifdef RT_APART
#define RT_KERNEL __global__
#else
#define RT_KERNEL static __global__
#endif

namespace rt {

static __device__ int of_this_file;
struct device_code {
    const void *variable;
    const device_code *next;
};
inline const device_code *code_of_files = nullptr;
static const device_code code_of_this_file{&of_this_file, code_of_files};
static const bool is_code_known = (code_of_files = &code_of_this_file, true);
inline void load_code()
{
    void *at = nullptr;
    for (const device_code *code = code_of_files; code; code = code->next) cudaGetSymbolAddress(&at, code->variable);
    cudaGetLastError(); // a GPU that it was not compiled for: the launch says so
}

// The address that CUDA takes for a kernel.
inline const void *kernel_of(const void *const function)
{
    return function;
}

} // namespace rt

#endif
