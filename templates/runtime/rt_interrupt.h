// Loops that end once the program is asked to (`interruptible` in the configuration), as if their condition were false at the
// next test:
//   rt_interrupt()             asks, for good; a handler of signals may call it
//   rt::goes_on()              is tested by loops of the host
//   RT_GOES_ON(rt_barrier)     by those of a resident kernel, whose barrier is a rt_interruptible<...>
//
// All threads of a resident kernel must leave a loop in the same step. So one of them alone looks at the word by which the
// program is asked, in memory of the host, and says to all behind which barrier they end: the next one, behind which all see
// what it says. A thread that sees it sooner goes on. A look takes as long as a barrier, and is taken some hundred times a
// second.
#pragma once

#include "rt_runtime.h"

namespace rt {

// Before a kernel has looked there is no memory of the host that a device reads.
inline volatile int is_asked_to_end = 0;
inline volatile int *volatile end_word = &is_asked_to_end;
inline const bool handlers_are_due = (signals_may_wait = false, true); // while a region runs

inline bool goes_on()
{
    return !is_asked_to_end;
}

} // namespace rt

extern "C" {
[[gnu::used]] inline void rt_interrupt()
{
    rt::is_asked_to_end = 1;
    *rt::end_word = 1;
}
}

#ifdef RT_SIM

template <class Barrier> struct rt_interruptible : Barrier {
    unsigned *last;        // barrier behind which loops end; 0: nobody has asked
    unsigned crossed, end; // of the calling thread: barriers; `last` as it was behind the latest of them

    void cross(const rt_where at = rt_where::here())
    {
        Barrier::cross(at);
        crossed++;
        end = *last;
    }
    bool goes_on()
    {
        if (end == 0 && blockIdx.x == 0 && threadIdx.x == 0 && !rt::goes_on()) *last = crossed + 1;
        return end == 0 || (int)(crossed - end) < 0;
    }
    static rt_interruptible of_launch(const rt::place &)
    {
        static unsigned word;
        word = 0;
        return {{}, &word, 0, 0};
    }
};

#else

namespace rt {

inline unsigned *last_barrier;
constexpr unsigned cycles_between_looks = 1u << 22;

inline void release_end_words()
{
    volatile int *const word = end_word;
    end_word = &is_asked_to_end;
    cudaFreeHost((void *)word), cudaFree(last_barrier);
}

inline void make_end_words(const place &at)
{
    if (last_barrier) return;
    int *word = nullptr;
    check_cuda(at, cudaHostAlloc((void **)&word, sizeof *word, cudaHostAllocMapped), "cudaHostAlloc",
               "the word that asks for an end");
    const cudaError_t status = cudaMalloc((void **)&last_barrier, sizeof *last_barrier);
    if (status != cudaSuccess) cudaFreeHost(word);
    check_cuda(at, status, "cudaMalloc", "the barrier that is the last");
    *word = 0;
    end_word = word;
    if (is_asked_to_end) *end_word = 1;
    at_exit(release_end_words);
}

} // namespace rt

template <class Barrier> struct rt_interruptible : Barrier {
    const volatile int *asked; // of the host
    unsigned *last;            // barrier behind which loops end; 0: nobody has asked
    unsigned crossed, end;     // of the calling thread: barriers; `last` as it was behind the latest of them

    // The load is under way while the step behind the barrier begins.
    __device__ void cross()
    {
        Barrier::cross();
        crossed++;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(end) : "l"(last) : "memory");
    }
    __device__ bool goes_on()
    {
        if (end == 0 && blockIdx.x == 0 && threadIdx.x == 0 && is_due() && *asked) *(volatile unsigned *)last = crossed + 1;
        return end == 0 || (int)(crossed - end) < 0;
    }
    static rt_interruptible of_launch(const rt::place &at)
    {
        rt::make_end_words(at);
        rt::check_cuda(at, cudaMemsetAsync(rt::last_barrier, 0, sizeof *rt::last_barrier, rt::launch_stream),
                       "cudaMemsetAsync", "the barrier that is the last");
        return {rt::barrier_parameter<Barrier>(at), rt::end_word, rt::last_barrier, 0, 0};
    }

private:
    // When it looked is in shared memory: a register would be one of each thread. Whatever is there at first will do.
    __device__ static bool is_due()
    {
        __shared__ unsigned looked;
        const unsigned now = (unsigned)clock();
        if (now - looked < rt::cycles_between_looks) return false;
        looked = now;
        return true;
    }
};

#endif
