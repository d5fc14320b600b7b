// Pages of the program's memory that are closed to it while the device alone has what belongs there, or that it may read, but not
// write, while the device has the same. Whoever touches one is held up until it is as it should be (rt_faults.h): so what stays on
// the device need not be known to the program's text.
//
// Only whole pages of one block are closed: what allocators gave, and static arrays (rt_blocks.h, rt_symbols.h). In a page at
// the edge of a block other things lie: what belongs there is always at home.
//
// Memory that is closed is written through /proc/self/mem, and opened when all of it is there: no thread sees it half done.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt_allocator.h"
#include "rt_spans.h"
#include "rt_symbols.h"

namespace rt {

inline const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

// The whole pages in some bytes, and those around them.
inline span pages_within(const span &s)
{
    const span whole{(const char *)(((size_t)s.first + page_bytes - 1) / page_bytes * page_bytes),
                     (const char *)((size_t)s.last / page_bytes * page_bytes)};
    return whole.is_some() ? whole : span{s.first, s.first};
}
inline span pages_around(const span &s)
{
    if (!s.is_some()) return s;
    const size_t last = (size_t)s.last > ~(size_t)0 - page_bytes ? ~(size_t)0 / page_bytes : ((size_t)s.last + page_bytes - 1) / page_bytes;
    return {(const char *)((size_t)s.first / page_bytes * page_bytes), (const char *)(last * page_bytes)};
}

// The block of private memory that lies around an address, and what of it is in pages of its own; none where that is not known.
inline span own_pages(const void *const at)
{
    block found = is_told() ? blocks.around(at) : block{nullptr, nullptr};
    if (!found.is_some()) found = static_arrays::around((const char *)at);
    if (!found.is_some()) return {nullptr, nullptr};
    return found.has_pages ? pages_around({found.first, found.last}) : pages_within({found.first, found.last});
}

// Asks the system for an access to pages, by itself: mprotect is the program's (rt_mappings.h).
inline bool protect(const span &pages, const int access)
{
    return syscall(SYS_mprotect, pages.first, pages.last - pages.first, access) == 0;
}

// The program's memory as a file, that of this process: no protection holds its writes. -1 where the system has no such file.
inline int memory_file()
{
    static int file = -1;
    static pid_t whose = 0;
    if (whose == getpid()) return file;
    file = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    whose = getpid();
    return file;
}

// Destination of what comes home: memory that is closed to the program.
inline bool is_home_closed = false;

// Copies bytes to the program's memory, closed or not.
inline void put_on_host(char *to, const char *from, size_t n)
{
    if (!is_home_closed) return (void)memcpy(to, from, n);
    while (n > 0) {
        const long put = syscall(SYS_pwrite64, memory_file(), from, n, (off_t)to);
        if (put <= 0) {
            const span pages = pages_around({to, to + n});
            protect(pages, PROT_READ | PROT_WRITE);
            return (void)memcpy(to, from, n);
        }
        to += put, from += put, n -= (size_t)put;
    }
}

// The pages that are closed to the program, and those that it may only read. All others are open.
class protection {
public:
    // Closes and opens pages in a range, until just those are closed and just these may only be read; false where the system
    // allows no more of it.
    bool set(const span &range, const spans &to_close, const spans &to_read)
    {
        spans to_open;
        for (const spans *const now : {&closed, &readable})
            for (const span &s : now->within(range)) to_open.add(s);
        for (const spans *const wanted : {&to_close, &to_read})
            for (const span &s : *wanted) to_open.remove(s);
        bool all = open(to_open);
        all = change(to_close, closed, readable, PROT_NONE) && all;
        return change(to_read, readable, closed, PROT_READ) && all;
    }
    // Test that pages in a range may not be open; of any thread.
    bool may_meet(const span &range) const
    {
        return (size_t)range.first < __atomic_load_n(&last, __ATOMIC_RELAXED) && (size_t)range.last > __atomic_load_n(&first, __ATOMIC_RELAXED);
    }
    // Test that pages in a range are not open, by a lock that is held for no more than that. A thread that asks this never waits for
    // another's turn, which may be waiting for it: the driver's threads read what the system tells them while a region's thread is
    // in the driver.
    bool meets(const span &range)
    {
        if (!may_meet(range)) return false;
        const without_handlers meanwhile{true};
        const holding hold(lock);
        return !is_open(range);
    }
    void belong_to_child() { lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; }
    bool is_open(const span &pages) const { return !closed.meets(pages) && !readable.meets(pages); }
    // How often pages have been opened.
    long n_openings = 0;

private:
    spans closed, readable; // changed by the thread whose turn it is
    pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; // a list that grows may end a block whose pages are not open
    size_t first = ~(size_t)0, last = 0; // where there have ever been some that were not open

    bool open(const spans &to_open)
    {
        bool all = true;
        for (const span &s : to_open) {
            all &= protect(s, PROT_READ | PROT_WRITE);
            n_openings++;
            const holding hold(lock);
            closed.remove(s), readable.remove(s);
        }
        return all;
    }
    // Those of `wanted` that are not yet so.
    bool change(const spans &wanted, spans &now, spans &before, const int to)
    {
        bool all = true;
        for (const span &w : wanted)
            for (const span &s : now.missing(w)) {
                if ((size_t)s.first < first) __atomic_store_n(&first, (size_t)s.first, __ATOMIC_RELAXED);
                if ((size_t)s.last > last) __atomic_store_n(&last, (size_t)s.last, __ATOMIC_RELAXED);
                all &= protect(s, to);
                if (before.meets(s) && to == PROT_READ) n_openings++;
                const holding hold(lock);
                before.remove(s), now.add(s);
            }
        return all;
    }
};
inline protection guarded;

} // namespace rt
