// Copies between host and GPU, and the check of a CUDA status.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "rt_base.h"

namespace rt {

// Says which call failed on what, and what to do about the failures that users meet.
inline void check_cuda(const place &at, const cudaError_t status, const char *call, const char *subject)
{
    if (status == cudaSuccess) return;
    const char *help = "an earlier kernel may have failed: run under compute-sanitizer, or build for the CPU (backend "
                       "= \"cpu\"), which checks every access";
    if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
        help = "the program was built for another GPU: set arch in [target] to this one's (arch = \"native\") and "
               "build again";
    } else if (status == cudaErrorLaunchOutOfResources) {
        help = "the kernel's block needs more registers or shared memory than there are: choose a smaller block in the "
               "configuration";
    } else if (status == cudaErrorCooperativeLaunchTooLarge) {
        help =
            "the blocks of this kernel wait for each other, and the device cannot hold all of them at once: set sync "
            "= \"relaunch\" in the configuration";
    } else if (status == cudaErrorInsufficientDriver) {
        help = "the NVIDIA driver is missing or older than CUDA 13 needs: install driver 580 or newer";
    }
    fail(at, format("%s, %s: %s (%s)", subject, call, cudaGetErrorString(status), cudaGetErrorName(status)), help);
}

// ---- Large copies. The driver stages pageable memory through one pinned buffer with one host thread, at 9 to 16 GB/s
// where PCIe 5 carries 55. Several threads, each with two pinned buffers of its own (one filled while the other
// moves), get 20 to 41 GB/s from 8 MB up, measured on an H200; below, the plain copy is as fast.

constexpr size_t staged_from = 8 << 20, chunk_bytes = 1 << 20;
constexpr unsigned max_stagers = 8, min_stagers = 4;

class stagers {
public:
    // Made with the device's context, kept to the end of the program: pinning the buffers takes milliseconds. Null where
    // there are too few processors, or no memory to pin.
    static stagers *shared()
    {
        static stagers *const made = make();
        return made;
    }

    // Moves bytes between host and device; returns the first status that is not success.
    cudaError_t copy(char *to, const char *from, const size_t bytes, const cudaMemcpyKind kind)
    {
        const cudaError_t before = cudaStreamSynchronize(0); // kernels that use this memory
        if (before != cudaSuccess) return before;
        std::unique_lock<std::mutex> hold(lock);
        now = {to, from, bytes, kind};
        next_chunk = 0;
        first_error = cudaSuccess;
        n_working = n_threads;
        generation++;
        wake.notify_all();
        finished.wait(hold, [&] { return n_working == 0; });
        return first_error;
    }

private:
    struct job {
        char *to;
        const char *from;
        size_t bytes;
        cudaMemcpyKind kind;
    };
    // A pinned buffer and the chunk that it holds or receives.
    struct buffer {
        char *pinned = nullptr;
        cudaEvent_t moved = nullptr;
        char *to = nullptr;
        size_t bytes = 0;
    };

    std::mutex lock;
    std::condition_variable wake, finished;
    job now{};
    int device = 0;
    std::atomic<size_t> next_chunk{0};
    cudaError_t first_error = cudaSuccess;
    unsigned n_threads, n_working = 0, generation = 0;

    static stagers *make()
    {
        const unsigned processors = std::thread::hardware_concurrency();
        const unsigned threads = processors < max_stagers ? processors : max_stagers;
        char *pinned = nullptr;
        if (processors < min_stagers) return nullptr;
        if (cudaMallocHost((void **)&pinned, 2 * threads * chunk_bytes) == cudaSuccess) return new stagers(threads, pinned);
        cudaGetLastError();
        return nullptr;
    }

    stagers(const unsigned threads, char *const pinned) : n_threads(threads)
    {
        cudaGetDevice(&device);
        for (unsigned t = 0; t < n_threads; t++)
            std::thread([this, mine = pinned + 2 * t * chunk_bytes] { work(mine); }).detach();
    }

    void work(char *const pinned)
    {
        cudaStream_t stream = nullptr;
        buffer buffers[2];
        buffers[0].pinned = pinned;
        buffers[1].pinned = pinned + chunk_bytes;
        const cudaError_t ready = prepare(stream, buffers);
        for (unsigned seen = 0;;) {
            std::unique_lock<std::mutex> hold(lock);
            wake.wait(hold, [&] { return generation != seen; });
            seen = generation;
            const job todo = now;
            hold.unlock();
            cudaError_t status = ready;
            if (status == cudaSuccess) status = move(todo, stream, buffers);
            hold.lock();
            if (first_error == cudaSuccess) first_error = status;
            if (--n_working == 0) finished.notify_one();
        }
    }

    cudaError_t prepare(cudaStream_t &stream, buffer (&buffers)[2]) const
    {
        cudaError_t status = cudaSetDevice(device);
        if (status != cudaSuccess) return status;
        for (buffer &b : buffers) {
            status = cudaEventCreateWithFlags(&b.moved, cudaEventDisableTiming);
            if (status != cudaSuccess) return status;
        }
        return cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }

    // Takes chunks until none is left. What moves out of a buffer waits until the other is on its way.
    cudaError_t move(const job &todo, cudaStream_t stream, buffer (&buffers)[2])
    {
        const bool to_device = todo.kind == cudaMemcpyHostToDevice;
        cudaError_t status = cudaSuccess;
        buffer *b = &buffers[0], *other = &buffers[1];
        other->bytes = b->bytes = 0;
        while (status == cudaSuccess) {
            const size_t offset = next_chunk++ * chunk_bytes;
            if (offset >= todo.bytes) break;
            status = settle(*b, to_device);
            if (status != cudaSuccess) break;
            b->bytes = todo.bytes - offset < chunk_bytes ? todo.bytes - offset : chunk_bytes;
            b->to = todo.to + offset;
            if (to_device) memcpy(b->pinned, todo.from + offset, b->bytes);
            status = to_device ? cudaMemcpyAsync(b->to, b->pinned, b->bytes, todo.kind, stream)
                               : cudaMemcpyAsync(b->pinned, todo.from + offset, b->bytes, todo.kind, stream);
            if (status == cudaSuccess) status = cudaEventRecord(b->moved, stream);
            buffer *const filled = b;
            b = other;
            other = filled;
        }
        for (buffer *last : {b, other}) {
            const cudaError_t settled = settle(*last, to_device);
            if (status == cudaSuccess) status = settled;
        }
        return status;
    }

    // Waits for a buffer's chunk; what came from the device goes to its place.
    static cudaError_t settle(buffer &b, const bool to_device)
    {
        if (b.bytes == 0) return cudaSuccess;
        const cudaError_t status = cudaEventSynchronize(b.moved);
        if (status == cudaSuccess && !to_device) memcpy(b.to, b.pinned, b.bytes);
        b.bytes = 0;
        return status;
    }
};

inline void copy(const place &at, const char *name, void *to, const void *from, const size_t bytes,
                 const cudaMemcpyKind kind)
{
    stagers *const large = bytes >= staged_from ? stagers::shared() : nullptr;
    cudaError_t status = large ? large->copy((char *)to, (const char *)from, bytes, kind) : cudaErrorMemoryAllocation;
    if (status == cudaErrorMemoryAllocation) { // no stagers, or no pinned memory for them
        cudaGetLastError();
        status = cudaMemcpy(to, from, bytes, kind);
    }
    check_cuda(at, status, kind == cudaMemcpyHostToDevice ? "copy to the device" : "copy to the host", name);
}

} // namespace rt
