// Contents that the device has by now of the host's memory, while kernels that write it run (`interruptible` in the configuration):
//   rt_tell(to, of, bytes)   copies it `to` other memory; 0 where no region is at work on `of`. Any thread may call it
// A copy on a stream of its own waits for no kernel, and kernels do not know of it. Elements are whole, and of different ages.
#pragma once

#include "rt_runtime.h"

namespace rt {

// An array that a region has at work, from where the device has what came in, to the end of the scope.
class told {
public:
    template <class T>
    explicit told(const array<T> &a) : device(a.device), host((const char *)a.on_host()), bytes(a.size() * sizeof(T))
    {
        memory::begin_to_tell();
        const holding hold(lock);
        next = first;
        first = this;
    }
    told(const told &) = delete;
    ~told()
    {
        const holding hold(lock);
        const told **link = &first;
        while (*link != this) link = &(*link)->next;
        *link = next;
    }

    static bool tell(void *const to, const char *const of, const size_t n)
    {
        const holding hold(lock);
        for (const told *t = first; t; t = t->next)
            if (of >= t->host && of + n <= t->host + t->bytes) return t->device.tell(of - t->host, n, to);
        return false;
    }

private:
    const memory &device;
    const char *const host;
    const size_t bytes;
    mutable const told *next;

    static inline pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static inline const told *first = nullptr;
};

} // namespace rt

extern "C" {
[[gnu::used]] inline int rt_tell(void *const to, const void *const of, const unsigned long bytes)
{
    return rt::told::tell(to, (const char *)of, bytes);
}
}
