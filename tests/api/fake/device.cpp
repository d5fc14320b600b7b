/* The memory of the device. When the program ends, $FAKE_CUDA_COUNTS gets a line for each function with its calls, and a
 * leak of memory or descriptors is a failure. */
#include "device.h"

#include <map>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <unistd.h>

#include "cuda_runtime.h"

namespace {

struct device {
    std::map<const char *, size_t> memory;
    std::map<std::string, long> calls, things;

    ~device()
    {
        if (const char *path = getenv("FAKE_CUDA_COUNTS")) {
            FILE *out = fopen(path, "w");
            for (const auto &[name, n] : calls) fprintf(out, "%s %ld\n", name.c_str(), n);
            fclose(out);
        }
        things["memory"] = (long)memory.size();
        for (const auto &[kind, n] : things) {
            if (n == 0 || getenv("FAKE_CUDA_FAIL")) continue;
            fprintf(stderr, "device: %ld %s left\n", n, kind.c_str());
            _exit(1);
        }
    }
} the;

[[noreturn]] void mixed_up(const char *call)
{
    fprintf(stderr, "device: %s: memory of the host and of the device are mixed up\n", call);
    abort();
}

bool is_on_device(const void *at, const size_t bytes)
{
    auto after = the.memory.upper_bound((const char *)at);
    if (after == the.memory.begin()) return false;
    const auto &[start, size] = *--after;
    return (const char *)at + bytes <= start + size;
}

} // namespace

void fake_require_device(const void *at, const size_t bytes, const char *call)
{
    if (!is_on_device(at, bytes)) mixed_up(call);
}

bool fake_fails(const char *call)
{
    the.calls[call]++;
    const char *wanted = getenv("FAKE_CUDA_FAIL");
    return wanted && strcmp(wanted, call) == 0;
}

void fake_made(const char *kind, const int change)
{
    the.things[kind] += change;
}

cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}

const char *cudaGetErrorString(const cudaError_t status)
{
    return status == cudaErrorMemoryAllocation ? "out of memory" : status == cudaErrorNoDevice ? "no device" : "bad address";
}

cudaError_t cudaMalloc(void **out, const size_t bytes)
{
    if (fake_fails("cudaMalloc") || bytes > (size_t)1 << 40) return cudaErrorMemoryAllocation;
    char *at = (char *)malloc(bytes);
    memset(at, 0xff, bytes); /* no number */
    the.memory[at] = bytes;
    *out = at;
    return cudaSuccess;
}

cudaError_t cudaFree(void *at)
{
    if (the.memory.erase((const char *)at) != 1) mixed_up("cudaFree");
    free(at);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    *free = *total = (size_t)1 << 40;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, const size_t bytes, const cudaMemcpyKind kind)
{
    if (fake_fails("cudaMemcpy")) return cudaErrorIllegalAddress;
    if (is_on_device(to, bytes) != (kind != cudaMemcpyDeviceToHost) ||
        is_on_device(from, bytes) != (kind != cudaMemcpyHostToDevice))
        mixed_up("cudaMemcpy");
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, const size_t bytes, const cudaMemcpyKind kind)
{
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemsetAsync(void *at, const int value, const size_t bytes)
{
    fake_require_device(at, bytes, "cudaMemsetAsync");
    memset(at, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize()
{
    return fake_fails("cudaDeviceSynchronize") ? cudaErrorIllegalAddress : cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *n)
{
    *n = fake_fails("cudaGetDeviceCount") ? 0 : 1;
    return *n ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    strcpy(properties->name, "a device that is not there");
    return cudaSuccess;
}
