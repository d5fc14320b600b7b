// Copies between host and GPU, and the check of a CUDA status.
#pragma once

#include <cuda_runtime.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt_costs.h"
#include "rt_pages.h"
#include "rt_rows.h"

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

// Does `move` with each part of the pieces that lies in [begin, begin + bytes) on the device.
template <class F> void each_part(const list<piece> &pieces, const size_t begin, const size_t bytes, const F &move)
{
    size_t at = 0;
    for (size_t last = pieces.size(); at < last;) { // the first piece that ends behind the beginning
        const size_t middle = at + (last - at) / 2;
        if (pieces[middle].device + pieces[middle].bytes > begin)
            last = middle;
        else
            at = middle + 1;
    }
    for (; at < pieces.size() && pieces[at].device < begin + bytes; at++) {
        const piece &p = pieces[at];
        const size_t from = p.device > begin ? p.device : begin;
        const size_t to = p.device + p.bytes < begin + bytes ? p.device + p.bytes : begin + bytes;
        move(p.host + (from - p.device), from - begin, to - from);
    }
}
inline void gather(const list<piece> &pieces, const size_t begin, const size_t bytes, char *const packed)
{
    each_part(pieces, begin, bytes,
              [&](const char *host, const size_t at, const size_t n) { memcpy(packed + at, host, n); });
}
inline void scatter(const list<piece> &pieces, const size_t begin, const size_t bytes, const char *const packed)
{
    each_part(pieces, begin, bytes, [&](char *host, const size_t at, const size_t n) { put_on_host(host, packed + at, n); });
}

constexpr size_t staged_from = (size_t)costs::staged_bytes, chunk_bytes = 1 << 20;
constexpr long max_stagers = 8, min_stagers = 4;

class stagers {
public:
    // Made with the device's context, kept to the end of the program: pinning the buffers takes milliseconds. Null where
    // there are too few processors, or no memory to pin, or no thread.
    static stagers *shared()
    {
        static stagers *const made = make();
        return made;
    }

    // Moves the pieces between host and device, and on the device what lies between them too; returns the first status
    // that is not success.
    cudaError_t copy(char *device, const list<piece> &pieces, const cudaMemcpyKind kind)
    {
        const cudaError_t before = cudaStreamSynchronize(0); // kernels that use this memory
        if (before != cudaSuccess) return before;
        const holding hold(lock);
        const size_t begin = pieces[0].device, end = pieces.back().device + pieces.back().bytes;
        now = {device, &pieces, begin, end - begin, kind};
        next_chunk = 0;
        first_error = cudaSuccess;
        n_working = n_threads;
        generation++;
        pthread_cond_broadcast(&wake);
        while (n_working > 0) pthread_cond_wait(&finished, &lock);
        return first_error;
    }

private:
    struct job {
        char *device;
        const list<piece> *pieces;
        size_t begin, bytes; // on the device
        cudaMemcpyKind kind;
    };
    // A pinned buffer and the chunk of the device's array that it holds or receives.
    struct buffer {
        char *pinned = nullptr;
        cudaEvent_t moved = nullptr;
        size_t begin = 0, bytes = 0;
    };

    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t wake = PTHREAD_COND_INITIALIZER, finished = PTHREAD_COND_INITIALIZER;
    job now{};
    int device = 0;
    char *next_pinned; // two chunks for each thread
    size_t next_chunk = 0;
    cudaError_t first_error = cudaSuccess;
    unsigned n_threads = 0, n_working = 0, generation = 0;

    static stagers *make()
    {
        const long processors = sysconf(_SC_NPROCESSORS_ONLN);
        const long threads = processors < max_stagers ? processors : max_stagers;
        char *pinned = nullptr;
        if (processors < min_stagers) return nullptr;
        if (cudaMallocHost((void **)&pinned, 2 * threads * chunk_bytes) != cudaSuccess) {
            cudaGetLastError();
            return nullptr;
        }
        stagers *const made = new stagers(pinned);
        made->start(threads);
        return made->n_threads > 0 ? made : nullptr;
    }

    explicit stagers(char *const pinned) : next_pinned(pinned) { cudaGetDevice(&device); }

    // As many as the system gives.
    void start(const long threads)
    {
        const holding hold(lock);
        pthread_t thread;
        while (n_threads < threads && pthread_create(&thread, nullptr, run, this) == 0) {
            pthread_detach(thread);
            n_threads++;
        }
    }

    static void *run(void *const all)
    {
        ((stagers *)all)->work();
        return nullptr;
    }

    void work()
    {
        cudaStream_t stream = nullptr;
        buffer buffers[2];
        for (buffer &b : buffers) b.pinned = __atomic_fetch_add(&next_pinned, chunk_bytes, __ATOMIC_RELAXED);
        const cudaError_t ready = prepare(stream, buffers);
        for (unsigned seen = 0;;) {
            const job todo = next_job(seen);
            finish(ready == cudaSuccess ? move(todo, stream, buffers) : ready);
        }
    }

    job next_job(unsigned &seen)
    {
        const holding hold(lock);
        while (generation == seen) pthread_cond_wait(&wake, &lock);
        seen = generation;
        return now;
    }

    void finish(const cudaError_t status)
    {
        const holding hold(lock);
        if (first_error == cudaSuccess) first_error = status;
        if (--n_working == 0) pthread_cond_signal(&finished);
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
            const size_t offset = __atomic_fetch_add(&next_chunk, 1, __ATOMIC_RELAXED) * chunk_bytes;
            if (offset >= todo.bytes) break;
            status = settle(*b, todo);
            if (status != cudaSuccess) break;
            b->bytes = todo.bytes - offset < chunk_bytes ? todo.bytes - offset : chunk_bytes;
            b->begin = todo.begin + offset;
            char *const there = todo.device + b->begin;
            if (to_device) gather(*todo.pieces, b->begin, b->bytes, b->pinned);
            status = to_device ? cudaMemcpyAsync(there, b->pinned, b->bytes, todo.kind, stream)
                               : cudaMemcpyAsync(b->pinned, there, b->bytes, todo.kind, stream);
            if (status == cudaSuccess) status = cudaEventRecord(b->moved, stream);
            buffer *const filled = b;
            b = other;
            other = filled;
        }
        for (buffer *last : {b, other}) {
            const cudaError_t settled = settle(*last, todo);
            if (status == cudaSuccess) status = settled;
        }
        return status;
    }

    // Waits for a buffer's chunk; what came from the device goes to its place.
    static cudaError_t settle(buffer &b, const job &todo)
    {
        if (b.bytes == 0) return cudaSuccess;
        const cudaError_t status = cudaEventSynchronize(b.moved);
        if (status == cudaSuccess && todo.kind == cudaMemcpyDeviceToHost)
            scatter(*todo.pieces, b.begin, b.bytes, b.pinned);
        b.bytes = 0;
        return status;
    }
};

// Moves pieces between host and device in the plain way: where there are several, or the host's memory is closed, through one
// buffer.
inline cudaError_t copy_plainly(char *const device, const list<piece> &pieces, const cudaMemcpyKind kind)
{
    const bool to_device = kind == cudaMemcpyHostToDevice;
    const size_t begin = pieces[0].device, bytes = pieces.back().device + pieces.back().bytes - begin;
    const bool is_direct = pieces.size() == 1 && (to_device || !is_home_closed);
    char *const packed = is_direct ? pieces[0].host : (char *)malloc(bytes);
    if (!packed) return cudaErrorMemoryAllocation;
    if (to_device && !is_direct) gather(pieces, begin, bytes, packed);
    const cudaError_t status = to_device ? cudaMemcpy(device + begin, packed, bytes, kind)
                                         : cudaMemcpy(packed, device + begin, bytes, kind);
    if (is_direct) return status;
    if (status == cudaSuccess && !to_device) scatter(pieces, begin, bytes, packed);
    free(packed);
    return status;
}

// Memory that the host has not touched yet gets its pages while the copy arrives, which takes longer than the copy: in pages
// of 2 MB, where the system has them, it does not. Only a hint, whose status says nothing.
inline void expect_large_pages(const list<piece> &pieces)
{
    constexpr size_t page = 2 << 20;
    for (const piece &p : pieces) {
        const size_t begin = ((size_t)p.host + page - 1) / page * page, end = ((size_t)p.host + p.bytes) / page * page;
        if (begin < end) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    }
}

// Moves pieces between the host and the array at `device`; what lies between them on the device is nobody's.
inline void copy(const place &at, const char *name, char *const device, const list<piece> &pieces,
                 const cudaMemcpyKind kind)
{
    if (pieces.empty()) return;
    if (kind == cudaMemcpyDeviceToHost) expect_large_pages(pieces);
    const size_t bytes = pieces.back().device + pieces.back().bytes - pieces[0].device;
    stagers *const large = bytes >= staged_from ? stagers::shared() : nullptr;
    cudaError_t status = large ? large->copy(device, pieces, kind) : cudaErrorMemoryAllocation;
    if (status == cudaErrorMemoryAllocation) { // no stagers, or no pinned memory for them
        cudaGetLastError();
        status = copy_plainly(device, pieces, kind);
    }
    check_cuda(at, status, kind == cudaMemcpyHostToDevice ? "copy to the device" : "copy to the host", name);
}

} // namespace rt
