// Linked into a program by `rtcuda ptx build --keep-faster`, in front of CUDA's runtime (`--wrap` of the linker): how long each
// kernel takes, and what the program fetches from the device. RTCUDA_LAUNCHES names the file of the report.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

// Launches of a kernel of which each is timed; later ones are only counted.
constexpr long rt_most_timed = 2000;
// Time that the device waits before a kernel that is timed, so that its events are queued when it begins.
constexpr long long rt_wait_ns = 30000;

__global__ void rt_shim_wait()
{
    long long start, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - start < rt_wait_ns);
}

struct rt_kernel {
    long launches = 0, timed = 0;
    double seconds = 0;
    std::vector<std::pair<cudaEvent_t, cudaEvent_t>> events;
    unsigned threads = 0;
    size_t shared = 0;
};

struct rt_report {
    std::recursive_mutex lock;
    std::map<const void *, std::string> names;
    std::map<std::string, rt_kernel> kernels;
    std::vector<unsigned long long> fetched;
    bool is_in_wait = false, is_used = false;

    // Takes the times from events.
    void collect()
    {
        cudaDeviceSynchronize();
        for (auto &[name, kernel] : kernels) {
            for (auto [start, end] : kernel.events) {
                float ms = 0;
                if (cudaEventElapsedTime(&ms, start, end) == cudaSuccess) kernel.seconds += 1e-3 * ms, kernel.timed++;
            }
            kernel.events.clear();
        }
    }

    void write()
    {
        const char *path = getenv("RTCUDA_LAUNCHES");
        FILE *out = path ? fopen(path, "w") : nullptr;
        if (!out) return;
        collect();
        for (auto &[name, kernel] : kernels)
            fprintf(out, "{\"kernel\":\"%s\",\"launches\":%ld,\"timed\":%ld,\"seconds\":%.9f,\"threads\":%u,\"shared\":%zu}\n", name.c_str(),
                    kernel.launches, kernel.timed, kernel.seconds, kernel.threads, kernel.shared);
        for (const unsigned long long sum : fetched) fprintf(out, "{\"fetched\":\"%016llx\"}\n", sum);
        fclose(out);
    }
};

// A function registered for the end at the first use comes before the end of CUDA's runtime.
rt_report &rt_all(const bool is_used = true)
{
    static rt_report *all = new rt_report;
    if (is_used && !all->is_used) {
        all->is_used = true;
        atexit([] { rt_all().write(); });
    }
    return *all;
}

bool rt_is_captured(const cudaStream_t stream)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(stream, &status) != cudaSuccess) return cudaGetLastError(), true;
    return status != cudaStreamCaptureStatusNone;
}

template <class Launch>
cudaError_t rt_launched(const void *kernel, const dim3 block, const size_t shared, const cudaStream_t stream, const Launch launch)
{
    rt_report &all = rt_all();
    const std::lock_guard<std::recursive_mutex> guard(all.lock);
    const auto name = all.names.find(kernel);
    if (all.is_in_wait || name == all.names.end()) return launch();
    rt_kernel &found = all.kernels[name->second];
    found.launches++;
    found.threads = std::max(found.threads, block.x * block.y * block.z);
    found.shared = std::max(found.shared, shared);
    if (found.timed + (long)found.events.size() >= rt_most_timed || rt_is_captured(stream)) return launch();
    cudaEvent_t start, end;
    if (cudaEventCreate(&start) != cudaSuccess || cudaEventCreate(&end) != cudaSuccess) return cudaGetLastError(), launch();
    all.is_in_wait = true;
    rt_shim_wait<<<1, 1, 0, stream>>>();
    all.is_in_wait = false;
    cudaEventRecord(start, stream);
    const cudaError_t status = launch();
    cudaEventRecord(end, stream);
    found.events.emplace_back(start, end);
    return status;
}

// Notes what has come to the host.
void rt_fetched(const void *at, const size_t pitch, const size_t width, const size_t height)
{
    unsigned long long sum = 14695981039346656037ull;
    for (size_t row = 0; row < height; row++) {
        const unsigned char *bytes = (const unsigned char *)at + row * pitch;
        size_t i = 0;
        for (; i + 8 <= width; i += 8) {
            unsigned long long word;
            memcpy(&word, bytes + i, 8);
            sum = (sum ^ word) * 1099511628211ull, sum ^= sum >> 29;
        }
        for (; i < width; i++) sum = (sum ^ bytes[i]) * 1099511628211ull;
    }
    rt_report &all = rt_all();
    const std::lock_guard<std::recursive_mutex> guard(all.lock);
    all.fetched.push_back(sum);
}

bool rt_is_to_host(const cudaMemcpyKind kind, const void *to)
{
    if (kind != cudaMemcpyDefault) return kind == cudaMemcpyDeviceToHost;
    cudaPointerAttributes found{};
    if (cudaPointerGetAttributes(&found, to) != cudaSuccess) return cudaGetLastError(), false;
    return found.type == cudaMemoryTypeHost || found.type == cudaMemoryTypeUnregistered;
}

}

#define RT_WRAPPED(name, parameters) \
    extern "C" cudaError_t __real_##name parameters; \
    extern "C" cudaError_t __wrap_##name parameters

#define RT_LAUNCH(name, usual) \
    RT_WRAPPED(name, (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)) \
    { \
        return rt_launched(kernel, block, shared, rt_named(stream, usual), [&] { return __real_##name(kernel, grid, block, arguments, shared, stream); }); \
    }

// Of a stream that is not named each thread may have its own.
static cudaStream_t rt_named(const cudaStream_t stream, const cudaStream_t usual) { return stream ? stream : usual; }

// Launches by `<<<>>>` since CUDA 13: by a handle in the place of the function.
#if CUDART_VERSION >= 13000
RT_WRAPPED(__cudaGetKernel, (cudaKernel_t *handle, const void *kernel))
{
    const cudaError_t status = __real___cudaGetKernel(handle, kernel);
    rt_report &all = rt_all(false);
    const std::lock_guard<std::recursive_mutex> guard(all.lock);
    if (status == cudaSuccess && all.names.count(kernel)) all.names[(const void *)*handle] = all.names[kernel];
    return status;
}

#define RT_LAUNCH_HANDLE(name, usual) \
    RT_WRAPPED(name, (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)) \
    { \
        return rt_launched((const void *)kernel, block, shared, rt_named(stream, usual), [&] { return __real_##name(kernel, grid, block, arguments, shared, stream); }); \
    }

RT_LAUNCH_HANDLE(__cudaLaunchKernel, nullptr)
RT_LAUNCH_HANDLE(__cudaLaunchKernel_ptsz, cudaStreamPerThread)
#endif

RT_LAUNCH(cudaLaunchKernel, nullptr)
RT_LAUNCH(cudaLaunchKernel_ptsz, cudaStreamPerThread)
RT_LAUNCH(cudaLaunchCooperativeKernel, nullptr)
RT_LAUNCH(cudaLaunchCooperativeKernel_ptsz, cudaStreamPerThread)

#define RT_LAUNCH_EX(name, usual) \
    RT_WRAPPED(name, (const cudaLaunchConfig_t *how, const void *kernel, void **arguments)) \
    { \
        return rt_launched(kernel, how->blockDim, how->dynamicSmemBytes, rt_named(how->stream, usual), [&] { return __real_##name(how, kernel, arguments); }); \
    }

RT_LAUNCH_EX(cudaLaunchKernelExC, nullptr)
RT_LAUNCH_EX(cudaLaunchKernelExC_ptsz, cudaStreamPerThread)

#define RT_COPY(name) \
    RT_WRAPPED(name, (void *to, const void *from, size_t bytes, cudaMemcpyKind kind)) \
    { \
        const cudaError_t status = __real_##name(to, from, bytes, kind); \
        if (status == cudaSuccess && rt_is_to_host(kind, to)) rt_fetched(to, 0, bytes, 1); \
        return status; \
    }

RT_COPY(cudaMemcpy)
RT_COPY(cudaMemcpy_ptds)

// Behind the copy the stream is waited for: what comes is then there.
#define RT_COPY_ASYNC(name, usual) \
    RT_WRAPPED(name, (void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)) \
    { \
        const cudaError_t status = __real_##name(to, from, bytes, kind, stream); \
        if (status == cudaSuccess && rt_is_to_host(kind, to) && !rt_is_captured(rt_named(stream, usual)) && cudaStreamSynchronize(rt_named(stream, usual)) == cudaSuccess) \
            rt_fetched(to, 0, bytes, 1); \
        return status; \
    }

RT_COPY_ASYNC(cudaMemcpyAsync, nullptr)
RT_COPY_ASYNC(cudaMemcpyAsync_ptsz, cudaStreamPerThread)

#define RT_COPY_2D(name) \
    RT_WRAPPED(name, (void *to, size_t pitch, const void *from, size_t of, size_t width, size_t height, cudaMemcpyKind kind)) \
    { \
        const cudaError_t status = __real_##name(to, pitch, from, of, width, height, kind); \
        if (status == cudaSuccess && rt_is_to_host(kind, to)) rt_fetched(to, pitch, width, height); \
        return status; \
    }

RT_COPY_2D(cudaMemcpy2D)
RT_COPY_2D(cudaMemcpy2D_ptds)

#define RT_COPY_SYMBOL(name) \
    RT_WRAPPED(name, (void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind)) \
    { \
        const cudaError_t status = __real_##name(to, symbol, bytes, offset, kind); \
        if (status == cudaSuccess && rt_is_to_host(kind, to)) rt_fetched(to, 0, bytes, 1); \
        return status; \
    }

RT_COPY_SYMBOL(cudaMemcpyFromSymbol)
RT_COPY_SYMBOL(cudaMemcpyFromSymbol_ptds)

// Events go with the device's state.
RT_WRAPPED(cudaDeviceReset, ())
{
    rt_all().collect();
    return __real_cudaDeviceReset();
}

extern "C" void __real___cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *, int *);
extern "C" void __wrap___cudaRegisterFunction(void **module, const char *host, char *device, const char *name, int limit, uint3 *tid,
                                              uint3 *bid, dim3 *block, dim3 *grid, int *warp)
{
    rt_all(false).names[host] = device;
    __real___cudaRegisterFunction(module, host, device, name, limit, tid, bid, block, grid, warp);
}
