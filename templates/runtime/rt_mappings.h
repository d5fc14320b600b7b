// Memory that the program maps itself, a file's contents for one: blocks like those that an allocator gives (rt_blocks.h), as long
// as it is the program's alone. Weak symbols, as in rt_allocator.h, which ask the system themselves.
#pragma once

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt_faults.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace rt {

// Blocks with bytes in a range are none any more. A call keeps the contents of those that it does not unmap as a whole.
inline void end_mappings(const void *const at, const size_t bytes, const mover &by, const bool unmaps = false)
{
    const char *const first = (const char *)at, *const last = first + bytes;
    for (;;) {
        const block of = blocks.around(blocks.last_begin(last - 1));
        if (!of.is_some() || of.last <= first) return;
        const bool is_gone = unmaps && of.first >= first && of.last <= last;
        blocks.take(of.first, is_gone ? nullptr : &by);
    }
}

inline void *map(const mover &by, void *const at, const size_t bytes, const int access, const int flags, const int file, const off_t from)
{
    if (at && (flags & MAP_FIXED)) end_mappings(at, bytes, by, true);
    void *const given = (void *)syscall(SYS_mmap, at, bytes, access, flags, file, from);
    const bool is_own = (flags & MAP_PRIVATE) && (access & PROT_READ) && !(access & PROT_EXEC) && !(flags & MAP_NORESERVE);
    if (given != MAP_FAILED && is_own && bytes >= least_in_pages) blocks.add(given, bytes, true);
    return given;
}

} // namespace rt

// The call that a function stands for.
#define RT_CALLED(name) (rt::mover{name, (const char *)__builtin_return_address(0) - 1})

extern "C" {
[[gnu::weak, gnu::used]] void *rt_mmap(void *, size_t, int, int, int, off_t) noexcept __asm__("mmap");
[[gnu::weak, gnu::used]] void *rt_mmap64(void *, size_t, int, int, int, off_t) noexcept __asm__("mmap64");
[[gnu::weak, gnu::used]] int rt_munmap(void *, size_t) noexcept __asm__("munmap");
[[gnu::weak, gnu::used]] void *rt_mremap(void *, size_t, size_t, int, ...) noexcept __asm__("mremap");
[[gnu::weak, gnu::used]] int rt_mprotect(void *, size_t, int) noexcept __asm__("mprotect");
[[gnu::weak, gnu::used]] int rt_madvise(void *, size_t, int) noexcept __asm__("madvise");

void *rt_mmap(void *const at, const size_t bytes, const int access, const int flags, const int file, const off_t from) noexcept
{
    return rt::map(RT_CALLED("mmap"), at, bytes, access, flags, file, from);
}
void *rt_mmap64(void *const at, const size_t bytes, const int access, const int flags, const int file, const off_t from) noexcept
{
    return rt::map(RT_CALLED("mmap"), at, bytes, access, flags, file, from);
}
int rt_munmap(void *const at, const size_t bytes) noexcept
{
    rt::end_mappings(at, bytes, RT_CALLED("munmap"), true);
    return (int)syscall(SYS_munmap, at, bytes);
}
void *rt_mremap(void *const old, const size_t before, const size_t bytes, const int flags, ...) noexcept
{
    va_list more;
    va_start(more, flags);
    void *const to = flags & MREMAP_FIXED ? va_arg(more, void *) : nullptr;
    va_end(more);
    rt::end_mappings(old, before, RT_CALLED("mremap"));
    return (void *)syscall(SYS_mremap, old, before, bytes, flags, to);
}
// Memory that the program protects, and so wants to hear of itself, is left alone from here on.
int rt_mprotect(void *const at, const size_t bytes, const int access) noexcept
{
    rt::end_mappings(at, bytes, RT_CALLED("mprotect"));
    return (int)syscall(SYS_mprotect, at, bytes, access);
}
// Pages that the program drops have other contents from here on: zeros, or a file's.
int rt_madvise(void *const at, const size_t bytes, const int advice) noexcept
{
    const bool drops = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
    if (drops && !rt::stays.empty()) {
        const rt::span pages = rt::pages_around({(const char *)at, (const char *)at + bytes});
        const rt::mover by = RT_CALLED("madvise");
        rt::end_block({pages.first, pages.last}, &by);
    }
    return (int)syscall(SYS_madvise, at, bytes, advice);
}
}
#undef RT_CALLED
#endif
