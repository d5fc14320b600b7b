// The functions that allocate, as they stand in front of the C library's: what they give and take is told to the table of
// blocks (rt_blocks.h). They are weak symbols, and call the next of their name: an allocator that is linked statically, or
// the program's own, is used in their place and tells nothing; one that is preloaded is called by them. The names here are
// ours, since CUDA's headers declare the C ones for the device too.
//
// A trial says whether anything is told (`is_told`): it allocates as the C library itself does.
#pragma once

#include <dlfcn.h>
#include <errno.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include "rt_blocks.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#pragma weak dlsym

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

[[gnu::weak, gnu::used]] void *rt_malloc(size_t) noexcept __asm__("malloc");
[[gnu::weak, gnu::used]] void *rt_calloc(size_t, size_t) noexcept __asm__("calloc");
[[gnu::weak, gnu::used]] void *rt_realloc(void *, size_t) noexcept __asm__("realloc");
[[gnu::weak, gnu::used]] void rt_free(void *) noexcept __asm__("free");
[[gnu::weak, gnu::used]] void *rt_aligned_alloc(size_t, size_t) noexcept __asm__("aligned_alloc");
[[gnu::weak, gnu::used]] int rt_posix_memalign(void **, size_t, size_t) noexcept __asm__("posix_memalign");
}

namespace rt {

// Test that the program's calls of the C library come by the functions here, in rt_mappings.h and rt_system.h.
inline constexpr bool hears_of_calls = true;

inline int posix_memalign_of_library(void **const at, const size_t alignment, const size_t bytes) noexcept
{
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *const given = __libc_memalign(alignment, bytes);
    if (!given) return ENOMEM;
    *at = given;
    return 0;
}

// The functions that are called: the next of each name behind the program's own, looked for at the first call, before there
// are threads. The C library's serve where there are none, and while they are looked for.
struct allocator {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);

    static const allocator &looked_for();
};
inline constinit allocator next_allocator = {
    [](const size_t bytes) { return allocator::looked_for().malloc(bytes); },
    [](const size_t n, const size_t bytes) { return allocator::looked_for().calloc(n, bytes); },
    [](void *const old, const size_t bytes) { return allocator::looked_for().realloc(old, bytes); },
    [](void *const at) { allocator::looked_for().free(at); },
    [](const size_t alignment, const size_t bytes) { return allocator::looked_for().aligned_alloc(alignment, bytes); },
    [](void **const at, const size_t alignment, const size_t bytes) {
        return allocator::looked_for().posix_memalign(at, alignment, bytes);
    }};

template <class F> void find_next(F *&function, const char *const name)
{
    if (void *const next = dlsym(RTLD_NEXT, name)) function = (F *)next;
}
inline const allocator &allocator::looked_for()
{
    allocator all = {__libc_malloc, __libc_calloc, __libc_realloc, __libc_free, __libc_memalign, posix_memalign_of_library};
    next_allocator = all;
    if (!dlsym) return next_allocator;
    find_next(all.malloc, "malloc"), find_next(all.calloc, "calloc"), find_next(all.realloc, "realloc");
    find_next(all.free, "free"), find_next(all.aligned_alloc, "aligned_alloc");
    find_next(all.posix_memalign, "posix_memalign");
    return next_allocator = all;
}

// A child process has the table as it was when no thread was about to change it.
[[gnu::constructor]] inline void follow_forks()
{
    static bool is_done = false;
    if (is_done) return;
    is_done = true;
    pthread_atfork([] { blocks.freeze(); }, [] { blocks.thaw(); }, [] { blocks.belong_to_child(); });
}

// Test that what the program allocates is told to the table.
inline bool is_told()
{
    static const bool is_so = [] {
        char text[2 * block_table::least_bytes];
        memset(text, 'x', sizeof text - 1);
        text[sizeof text - 1] = 0;
        char *volatile const copy = strdup(text);
        const bool is_known = blocks.around(copy).holds(copy, copy + sizeof text);
        free(copy);
        return is_known && !blocks.around(copy).is_some();
    }();
    return is_so;
}

// Blocks of so many bytes and more begin with a page and end with one, so that these may be closed (rt_pages.h).
inline constexpr size_t least_in_pages = 1 << 18;

// Test that memory of the C library's is the system's as it came, all zero: it notes that before the block.
inline bool is_fresh(const void *const at)
{
    static const bool is_kept_zero = !getenv("MALLOC_PERTURB_") && !getenv("GLIBC_TUNABLES");
    constexpr size_t from_system = 2;
    return is_kept_zero && next_allocator.calloc == __libc_calloc && (((const size_t *)at)[-1] & from_system);
}

inline void *allocate_pages(const size_t bytes, const bool is_zero) noexcept
{
    const size_t page = (size_t)getpagesize();
    void *const at = next_allocator.aligned_alloc(page, (bytes + page - 1) / page * page);
    if (at && is_zero && !is_fresh(at)) memset(at, 0, bytes);
    blocks.add(at, bytes, true);
    return at;
}

// Test that the program has one thread, so that nobody can be given what it has just given back.
inline bool is_alone()
{
#if __has_include(<sys/single_threaded.h>)
    return __libc_single_threaded;
#else
    return false;
#endif
}

// Programs that let an array grow by an element at a time call this millions of times, of which most find it in place.
inline void *reallocate_alone(void *const old, const size_t bytes) noexcept
{
    void *const at = next_allocator.realloc(old, bytes);
    if (at == old && blocks.resize(old, bytes)) return at;
    if (!at && bytes != 0) return at; // it is as it was
    blocks.take(old);
    blocks.add(at, bytes);
    return at;
}

} // namespace rt

// Little blocks, which are not kept, go on as they came.
extern "C" {
void *rt_malloc(const size_t bytes) noexcept
{
    const rt::without_handlers meanwhile{rt::is_watching};
    if (bytes < rt::block_table::least_bytes) return rt::next_allocator.malloc(bytes);
    if (bytes >= rt::least_in_pages && bytes <= __PTRDIFF_MAX__) return rt::allocate_pages(bytes, false);
    void *const at = rt::next_allocator.malloc(bytes);
    rt::blocks.add(at, bytes);
    return at;
}
void *rt_calloc(const size_t n, const size_t bytes) noexcept
{
    const rt::without_handlers meanwhile{rt::is_watching};
    size_t all;
    const bool is_large = __builtin_mul_overflow(n, bytes, &all) || all >= rt::block_table::least_bytes;
    if (!is_large) return rt::next_allocator.calloc(n, bytes);
    if (!__builtin_mul_overflow(n, bytes, &all) && all >= rt::least_in_pages && all <= __PTRDIFF_MAX__) return rt::allocate_pages(all, true);
    void *const at = rt::next_allocator.calloc(n, bytes);
    rt::blocks.add(at, all);
    return at;
}
void *rt_realloc(void *const old, const size_t bytes) noexcept
{
    const rt::without_handlers meanwhile{rt::is_watching};
    if (bytes < rt::block_table::least_bytes && !rt::blocks.may_begin(old)) return rt::next_allocator.realloc(old, bytes);
    if (rt::is_alone() && rt::blocks.is_free_to_move(old)) return rt::reallocate_alone(old, bytes);
    const rt::mover by{"realloc", (const char *)__builtin_return_address(0) - 1};
    const size_t before = rt::blocks.take(old, &by);
    void *const at = rt::next_allocator.realloc(old, bytes);
    rt::blocks.add(at ? at : bytes ? old : nullptr, at ? bytes : before);
    return at;
}
void rt_free(void *const at) noexcept
{
    const rt::without_handlers meanwhile{rt::is_watching};
    if (rt::blocks.may_begin(at)) rt::blocks.take(at);
    rt::next_allocator.free(at);
}
void *rt_aligned_alloc(const size_t alignment, const size_t bytes) noexcept
{
    const rt::without_handlers meanwhile{rt::is_watching};
    void *const at = rt::next_allocator.aligned_alloc(alignment, bytes);
    rt::blocks.add(at, bytes);
    return at;
}
int rt_posix_memalign(void **const at, const size_t alignment, const size_t bytes) noexcept
{
    const rt::without_handlers meanwhile{rt::is_watching};
    const int status = rt::next_allocator.posix_memalign(at, alignment, bytes);
    if (status == 0) rt::blocks.add(*at, bytes);
    return status;
}
}
#else
namespace rt {

// The C library is another one, or a sanitizer's allocator is in its place, which begins before this could run.
inline constexpr bool hears_of_calls = false;
inline bool is_told() { return false; }

} // namespace rt
#endif
