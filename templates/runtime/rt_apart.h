// The host's part of a file that is compiled by g++ alone, with CUDA's headers. Device functions are read, and never called:
// what they use is declared. Kernels are declared, too, and defined beside as their names; those of the runtime's headers are
// compiled, and their names take their place when the parts are linked.
#pragma once

#define RT_KERNEL inline
#undef __host__
#undef __device__
#undef __shared__
#undef __constant__
#define __host__
#define __device__
#define __shared__
#define __constant__
#define __launch_bounds__(...)

// Names that device functions use.
inline const uint3 threadIdx{}, blockIdx{};
inline const dim3 blockDim, gridDim;
inline void __syncthreads() {}
inline void __syncwarp(unsigned = ~0u) {}
inline void __threadfence() {}
inline int __syncthreads_or(int) { return {}; }
inline int __ffs(int) { return {}; }
inline long long clock64() { return {}; }
template <class... A> unsigned __ballot_sync(A...) { return {}; }
template <class... A> unsigned __activemask(A...) { return {}; }
template <class... A> int __any_sync(A...) { return {}; }
template <class... A> int __all_sync(A...) { return {}; }
template <class T, class... A> T __shfl_sync(unsigned, T, A...) { return {}; }
template <class T, class... A> T __shfl_xor_sync(unsigned, T, A...) { return {}; }
template <class T, class... A> T __shfl_down_sync(unsigned, T, A...) { return {}; }
template <class T, class... A> T __shfl_up_sync(unsigned, T, A...) { return {}; }
template <class T> T __ldg(const T *) { return {}; }
template <class T, class... A> T atomicAdd(T *, A...) { return {}; }
template <class T, class... A> T atomicMin(T *, A...) { return {}; }
template <class T, class... A> T atomicMax(T *, A...) { return {}; }
template <class T, class... A> T atomicAnd(T *, A...) { return {}; }
template <class T, class... A> T atomicOr(T *, A...) { return {}; }
template <class T, class... A> T atomicXor(T *, A...) { return {}; }
template <class T, class... A> T atomicCAS(T *, A...) { return {}; }
template <class T, class... A> T atomicExch(T *, A...) { return {}; }
namespace cooperative_groups {
struct grid_group {
    void sync() const {}
};
inline grid_group this_grid() { return {}; }
} // namespace cooperative_groups

// The code for the device, which whoever links the parts puts there.
extern "C" __attribute__((visibility("hidden"))) const char rt_device_code[];

namespace rt {

static cudaLibrary_t code_of_this_file()
{
    static cudaLibrary_t library = nullptr;
    if (!library) cudaLibraryLoadData(&library, rt_device_code, nullptr, nullptr, 0, nullptr, nullptr, 0);
    return library;
}

static const void *kernel_of(const void *const name)
{
    cudaKernel_t kernel = nullptr;
    cudaLibraryGetKernel(&kernel, code_of_this_file(), (const char *)name);
    return (const void *)kernel;
}

static void load_code()
{
    code_of_this_file();
}

} // namespace rt
