// The GPU: what kernels are spelled with, memory, launches. Every status is checked.
#pragma once

#include <cuda_runtime.h>
#include <signal.h>

#include "rt_base.h"
#include "rt_code.h"
#include "rt_math.h"

#define RT_DEVICE static __device__ inline
// The threads of a block: each has no more registers than that leaves. That one block an SM is enough (a second argument,
// 1) lets the compiler take registers for many loads at once: else it takes few, for as many threads as an SM could hold,
// and waits for each load.
#define RT_THREADS(...) __launch_bounds__(__VA_ARGS__)
// The simulation passes along where a device function is called; here it is nothing.
#define RT_WHERE
#define RT_AT
#define RT_AT_ONLY

// Array parameters. What a kernel only reads goes through the read-only path.
template <class T> using rt_in = const T *__restrict__;
template <class T> using rt_out = T *__restrict__;
template <class T> using rt_inout = T *__restrict__;
// One through which threads exchange values across a barrier, of the block or of the grid. With __restrict__ the
// compiler would keep what a thread has read over the barrier, as it may: no other pointer is said to lead there. What
// stands between two barriers may be a device function that takes it as rt_in, rt_out or rt_inout: the promise then
// ends where the function does.
template <class T> using rt_exchanged = T *;

// An array of the block, in shared memory, aligned for the widest loads; an array of one thread; a loop over registers.
#define RT_SHARED(T, name, extents) __shared__ __align__(16) T name extents
// Arrays of a block that are more than 48 KiB together: one behind another in memory that the launch asks for.
#define RT_SHARED_FIRST(T, name, extents) RT_SHARED_AT(T, name, extents, 0)
#define RT_SHARED_BEHIND(T, name, extents, before) RT_SHARED_AT(T, name, extents, before##_end)
#define RT_SHARED_AT(T, name, extents, at)                                                                             \
    [[maybe_unused]] constexpr unsigned name##_end = at + (sizeof(T extents) + 15) / 16 * 16;                          \
    T(&name) extents = *(T(*) extents)(rt_launch_shared + at)
extern __shared__ __align__(16) unsigned char rt_launch_shared[];
// An array of one thread that stays on chip from the first step of a resident kernel to the last, in memory that the launch
// asks for: `slots` elements, beside those of the block's other threads, behind arrays of `before` bytes an element.
// (Zhang et al., "PERKS: a locality-optimized execution model for iterative memory-bound GPU applications", ICS 2023.)
template <class T, int THREADS> struct rt_on_chip {
    T *first;
    __device__ T &operator[](const long slot) const { return first[(int)slot * THREADS]; }
};
#define RT_ON_CHIP(T, name, threads, slots, before)                                                                    \
    const rt_on_chip<T, threads> name{(T *)(rt_launch_shared + (int)(slots) * (threads * before)) + threadIdx.x}
// The same of rows of a sparse matrix, the first `kept` of the thread's, each with room for `longest` entries: behind arrays of
// elements of `before` bytes, and of `before_rows` bytes an entry.
template <class T, int THREADS> struct rt_rows_on_chip {
    T *first;
    int longest;
    struct row {
        T *first;
        __device__ T &operator[](const long entry) const { return first[(int)entry * THREADS]; }
    };
    __device__ row operator[](const long slot) const { return {first + (int)slot * longest * THREADS}; }
};
#define RT_ROWS_ON_CHIP(T, name, threads, slots, before, kept, longest, before_rows)                                   \
    const rt_rows_on_chip<T, threads> name{                                                                            \
        (T *)(rt_launch_shared + (int)(slots) * (threads * before) +                                                   \
              (int)(kept) * (int)(longest) * (threads * before_rows)) + threadIdx.x, (int)(longest)}
#define RT_LOCAL(T, name, extents) T name extents
#define RT_UNROLL _Pragma("unroll")
#define RT_UNROLL_BY(n) RT_PRAGMA(unroll n)
#define RT_PRAGMA(text) _Pragma(#text)

#include "rt_atomic.h"
#include "rt_barrier.h"
#include "rt_copy.h"
#include "rt_replay.h"

namespace rt {

constexpr bool simulated = false;

// The threads of a resident block, a multiple of `unit`.
constexpr int threads(const int wanted, const int)
{
    return wanted;
}

constexpr long most_work_of_one_block(const long most)
{
    return most;
}

// Memory that a region gave back is kept for its next call: cudaMalloc and cudaFree cost up to 0.2 ms a pair.
struct free_block {
    void *address;
    size_t bytes;
};
inline list<free_block> free_blocks;

inline void release_free_blocks()
{
    for (const free_block &b : free_blocks) cudaFree(b.address);
    free_blocks.clear();
}

inline text current_device_name()
{
    int device = 0;
    cudaDeviceProp properties;
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
        return "no CUDA device";
    return properties.name;
}

inline const char *device_name()
{
    // Never destroyed: reports that are written at the program's end name the device too.
    static const text &name = *new text(current_device_name());
    return name.c_str();
}

// Streaming multiprocessors of the device.
inline long processors()
{
    static const int n = [] {
        int device = 0, found = 1;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, device);
        return found;
    }();
    return n;
}

inline void watch_forks()
{
    static const int watches = pthread_atfork(nullptr, nullptr, [] { is_lost = true; });
    (void)watches;
}

// The start of CUDA, by a thread of its own while the host goes on with calls that stay. A program that ends before takes no
// notice of it.
inline pthread_t starter;
inline bool is_starting = false;
inline void begin_meanwhile()
{
    if (is_starting) return;
    watch_forks();
    const without_signals now;
    const auto begin = [](void *) -> void * {
        cudaFree(nullptr);
        load_code();
        return nullptr;
    };
    is_starting = pthread_create(&starter, nullptr, begin, nullptr) == 0;
}

inline void require_device(const place &at)
{
    static bool found = false;
    if (found) return;
    watch_forks();
    const without_signals now; // nor for CUDA's threads
    if (is_starting) pthread_join(starter, nullptr);
    int n_devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&n_devices);
    if (status != cudaSuccess || n_devices == 0) {
        fail(at,
             format("no CUDA device: cudaGetDeviceCount: %s",
                    status == cudaSuccess ? "none found" : cudaGetErrorString(status)),
             "run on a machine with an NVIDIA GPU and its driver (nvidia-smi shows both), build for the CPU (backend = "
             "\"cpu\"), or set "
             "RTCUDA_ON_ERROR=fallback to run the original loops");
    }
    check_cuda(at, cudaFree(nullptr), "cudaFree", "the device's context");
    load_code();
    device_name(); // asked for while CUDA is there
    stagers::shared();
    at_exit(release_free_blocks);
    found = true;
}

inline void synchronise(const place &at)
{
    check_cuda(at, cudaDeviceSynchronize(), "cudaDeviceSynchronize", "a kernel of the region");
    release_spent_graphs();
}

// Times on the device. Events are few and short-lived: only where a profile is asked for.
struct time_mark {
    cudaEvent_t event = nullptr;
};
inline time_mark mark()
{
    time_mark m;
    if (cudaEventCreate(&m.event) == cudaSuccess) cudaEventRecord(m.event);
    return m;
}
inline double seconds_between(const time_mark from, const time_mark to)
{
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, from.event, to.event);
    cudaEventDestroy(from.event);
    cudaEventDestroy(to.event);
    return 1e-3 * (double)milliseconds;
}

class memory {
public:
    memory(const place &at, const char *name, const long elements, const size_t element_bytes)
        : name(name), bytes(elements > 0 ? (elements * element_bytes + 3) / 4 * 4 : 1), element_bytes(element_bytes)
    {
        for (free_block &b : free_blocks) {
            if (b.bytes != bytes) continue;
            address = (char *)b.address;
            b = free_blocks.back();
            free_blocks.pop_back();
            return;
        }
        cudaError_t status = cudaMalloc((void **)&address, bytes);
        if (status == cudaErrorMemoryAllocation && !free_blocks.empty()) {
            cudaGetLastError();
            release_free_blocks();
            status = cudaMalloc((void **)&address, bytes);
        }
        if (status == cudaErrorMemoryAllocation && make_room()) {
            cudaGetLastError();
            release_free_blocks();
            status = cudaMalloc((void **)&address, bytes);
        }
        if (status == cudaErrorMemoryAllocation) {
            cudaGetLastError();
            size_t free = 0, total = 0;
            cudaMemGetInfo(&free, &total);
            fail_too_large(
                 at,
                 format("array %s: cudaMalloc: out of device memory: %s asked, %s of %s free", name,
                        bytes_text((double)bytes).c_str(), bytes_text((double)free).c_str(),
                        bytes_text((double)total).c_str()),
                 "make the problem smaller, end other programs on this GPU (nvidia-smi lists them), or use a GPU with "
                 "more memory");
        }
        check_cuda(at, status, "cudaMalloc", name);
    }
    // Memory of the caller's.
    memory(const char *name, const void *given, const long elements, const size_t element_bytes)
        : name(name), bytes(elements * element_bytes), element_bytes(element_bytes), address((char *)given), is_borrowed(true)
    {
    }
    memory(const memory &) = delete;
    bool is_aligned(const int to) const { return (unsigned long)address % to == 0; }
    ~memory()
    {
        if (!is_borrowed) free_blocks.push_back({address, bytes});
    }

    // Whether so many bytes leave as many free again; a block of that size from before is at hand.
    static bool has_room(const size_t bytes)
    {
        for (const free_block &b : free_blocks)
            if (b.bytes == bytes) return true;
        size_t free = 0, total = 0;
        return cudaMemGetInfo(&free, &total) == cudaSuccess && bytes <= free / 2;
    }
    void rename(const char *const other) { name = other; }
    const char *array_name() const { return name; }
    // Takes elements [first, last) over from another, which has them from `from` on.
    void take(const place &at, const memory &other, const long from, const long first, const long last)
    {
        const cudaError_t status = cudaMemcpy(address + first * element_bytes, other.address + from * element_bytes,
                                              (last - first) * element_bytes, cudaMemcpyDeviceToDevice);
        check_cuda(at, status, "copy on the device", name);
    }
    // Fills bytes from an offset on, as memset does.
    void fill(const place &at, const size_t offset, const size_t n, const int value)
    {
        check_cuda(at, cudaMemset(address + offset, value, n), "fill", name);
    }
    // Stands for another's memory from here on, and gives back its own.
    void borrow(memory &other)
    {
        if (!is_borrowed) free_blocks.push_back({address, bytes});
        is_borrowed = true;
        address = other.address;
    }

    // Test that so many bytes from its address on belong to one allocation; unknown to older drivers.
    bool goes_as_far(const size_t bytes) const
    {
        using range_of = int (*)(unsigned long long *, size_t *, unsigned long long);
        static void *const found = [] {
            void *function = nullptr;
            cudaDriverEntryPointQueryResult status;
            const cudaError_t asked = cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 12000, cudaEnableDefault, &status);
            return asked == cudaSuccess && status == cudaDriverEntryPointSuccess ? function : nullptr;
        }();
        unsigned long long base = 0;
        size_t size = 0;
        if (!found || ((range_of)found)(&base, &size, (unsigned long long)address) != 0) return false;
        return (unsigned long long)address + bytes <= base + size;
    }

    void from_host(const place &at, const long first, const long last, const void *host)
    {
        const size_t offset = first * element_bytes;
        from_rows(at, {{(char *)host + offset, offset, (last - first) * element_bytes}});
    }
    void to_host(const place &at, const long first, const long last, void *host)
    {
        const size_t offset = first * element_bytes;
        to_rows(at, {{(char *)host + offset, offset, (last - first) * element_bytes}});
    }
    void from_rows(const place &at, const list<piece> &pieces)
    {
        copy(at, name, address, pieces, cudaMemcpyHostToDevice);
    }
    // A copy waits for kernels, and holds meanwhile what another thread needs that tells.
    void to_rows(const place &at, const list<piece> &pieces)
    {
        if (told) cudaStreamSynchronize(launch_stream);
        copy(at, name, address, pieces, cudaMemcpyDeviceToHost);
    }
    // Contents as they are by now, whatever kernels are at work on it: from any thread, one at a time, behind a call that waits for what
    // came in. By a buffer of its own: what the driver has for memory that is not pinned, another thread may hold that waits.
    bool tell(const size_t from, const size_t n, void *const to) const
    {
        for (size_t at = 0; at < n; at += told_bytes) {
            const size_t part = rt_min(n - at, told_bytes);
            if (!told || cudaMemcpyAsync(told, address + from + at, part, cudaMemcpyDeviceToHost, telling) != cudaSuccess ||
                cudaStreamSynchronize(telling) != cudaSuccess)
                return false;
            memcpy((char *)to + at, told, part);
        }
        return true;
    }
    static void begin_to_tell()
    {
        const bool can = told || (cudaStreamCreateWithFlags(&telling, cudaStreamNonBlocking) == cudaSuccess &&
                                  cudaHostAlloc((void **)&told, told_bytes, cudaHostAllocDefault) == cudaSuccess);
        if (!can) cudaGetLastError();
        cudaStreamSynchronize(launch_stream);
    }
    template <class P> P as_parameter() const { return (P)(void *)address; }

private:
    const char *name;
    size_t bytes, element_bytes;
    char *address = nullptr;
    bool is_borrowed = false;

    static constexpr size_t told_bytes = 1 << 16;
    static inline cudaStream_t telling = nullptr;
    static inline char *told = nullptr;
};

template <class T> class array;
template <class P, class T> P to_parameter(array<T> &a)
{
    if constexpr (requires { P::is_held; })
        return P{a.device.template as_parameter<decltype(P::data)>(), a.size()};
    else
        return a.device.template as_parameter<P>();
}
template <class P, class V> P to_parameter(const V &value)
{
    return (P)value;
}

template <class P> P to_parameter(const grid_barrier &barrier)
{
    return barrier_parameter<P>(barrier.at);
}

// Shared memory that a launch asks for beside the arrays that the compiler has placed.
inline void allow_shared(const place &at, const char *kernel, const void *function, const long bytes)
{
    if (cudaFuncSetAttribute(kernel_of(function), cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) == cudaSuccess) return;
    cudaGetLastError();
    fail(at, format("kernel %s: a block takes %ld bytes of shared memory, more than this GPU has", kernel, bytes),
         "set arch in [target] to this GPU's (arch = \"native\") and convert again");
}

// Starts a kernel with these parameters.
template <class... P>
void start(const place &at, const char *kernel, const void *function, const dim3 grid, const dim3 block, const long shared,
           const std::type_identity_t<P>... parameters)
{
    void *all[] = {(void *)&parameters..., nullptr};
    cudaLaunchKernel(kernel_of(function), grid, block, all, shared, launch_stream);
    check_cuda(at, cudaGetLastError(), "kernel launch", kernel);
}

// The same of one whose blocks wait for each other: none begins where the device does not hold all.
template <class... P>
cudaError_t start_together(void (*const function)(P...), const dim3 grid, const dim3 block, const long shared,
                           const std::type_identity_t<P>... parameters)
{
    void *all[] = {(void *)&parameters..., nullptr};
    return cudaLaunchCooperativeKernel(kernel_of((const void *)function), grid, block, all, shared, launch_stream);
}

// `shared`: bytes of arrays that the launch asks for.
template <class... P, class... A>
void launch_on_device(const place &at, const char *kernel, void (*function)(P...), const rt_size3 grid,
                      const rt_size3 block, const long shared, A &...arguments)
{
    if (shared > 0) allow_shared(at, kernel, (const void *)function, shared);
    const dim3 blocks((unsigned)grid.x, (unsigned)grid.y, (unsigned)grid.z),
        threads((unsigned)block.x, (unsigned)block.y, (unsigned)block.z);
    start<P...>(at, kernel, (const void *)function, blocks, threads, shared, to_parameter<P>(arguments)...);
    n_launched++;
}

// The last argument is the barrier; `shared` as above. One block has nobody to wait for: any device launches it, and sooner.
template <class... P, class... A>
void launch_resident_on_device(const place &at, const char *kernel, void (*function)(P...), const long blocks,
                               const rt_size3 block, const long shared, A &...arguments)
{
    if (blocks == 1) return launch_on_device(at, kernel, function, {1, 1, 1}, block, shared, arguments...);
    require_cooperation(at, kernel);
    if (shared > 0) allow_shared(at, kernel, (const void *)function, shared);
    const dim3 grid((unsigned)blocks), threads((unsigned)block.x, (unsigned)block.y, (unsigned)block.z);
    const cudaError_t status = start_together<P...>(function, grid, threads, shared, to_parameter<P>(arguments)...);
    check_cuda(at, status, "cooperative launch", kernel);
    n_launched++;
}

// Test that a launch has about one thread for each element, of which there are `most` at most.
inline bool one_for_each(const long elements, const long most, const dim3 grid, const dim3 block)
{
    const long threads = (long)grid.x * block.x * grid.y * block.y * grid.z * block.z;
    return elements <= most && elements <= 2 * threads && threads <= 2 * elements;
}

// Runs a kernel whose threads wait for each other by themselves; false where the device does not hold all of its blocks at once.
template <class... P>
bool launch_together(const place &at, void (*const kernel)(P...), const dim3 grid, const dim3 block,
                     const std::type_identity_t<P>... arguments)
{
    const cudaError_t status = start_together<P...>(kernel, grid, block, 0, arguments...);
    if (status == cudaErrorCooperativeLaunchTooLarge) {
        cudaGetLastError();
        return false;
    }
    check_cuda(at, status, "cooperative launch", at.region);
    synchronise(at);
    return true;
}

} // namespace rt
