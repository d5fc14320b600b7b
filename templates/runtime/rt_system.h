// Calls of the C library in which the system itself reads or writes the program's memory: no signal comes of what is closed there
// (rt_pages.h), the call fails. So what they are handed is brought home before; and memset, which is done where the memory is.
// They are weak symbols, and call the next of their name, as the functions that allocate do (rt_allocator.h).
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include "rt_mappings.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace rt {

// A call of the C library's by which the system is about to read so many bytes, or to write them; and where it returns to.
struct system_call {
    const char *name;
    const void *back;
    void uses(const void *const at, const size_t bytes, const bool writes) const
    {
        const span all = pages_around({(const char *)at, (const char *)at + bytes});
        if (!guarded.meets(all)) return;
        const turn taken;
        const because_of now{{nullptr, 0, (const char *)back - 1, name}};
        stays.each(all, [&](stay &s) {
            if (s.is_guarded()) s.host_uses(all, writes);
        });
    }
    void uses(const iovec *const parts, const size_t n, const bool writes) const
    {
        for (size_t k = 0; k < n; k++) uses(parts[k].iov_base, parts[k].iov_len, writes);
    }

    // Bytes that are worth a call of the device, where it may have some of them.
    static bool may_be_filled(const void *const at, const size_t bytes)
    {
        return bytes >= 1 << 16 && guarded.meets({(const char *)at, (const char *)at + bytes});
    }
    // A fill by the host of what the device had last, and is likely to have next: done there. What is left is the host's.
    spans fills(const void *const at, const size_t bytes, const int value) const
    {
        spans left;
        left.add({(const char *)at, (const char *)at + bytes});
        if (is_lost) return left;
        const turn taken;
        const because_of now{{nullptr, 0, (const char *)back - 1, name}};
        struct part {
            const stay *by;
            span bytes;
        };
        list<part> parts;
        stays.each(left.around(), [&](stay &s) {
            for (const span &filled : s.fill(left, value)) {
                parts.push_back({&s, filled});
                left.remove(filled);
            }
        });
        // What others have of the same bytes is old.
        for (const part &p : parts) forget(p.bytes, p.by);
        for (const span &s : left) uses(s.first, s.last - s.first, true);
        return left;
    }
};

} // namespace rt

#define RT_OF_SYSTEM(type, name, parameters, arguments, touched)                                                       \
    [[gnu::weak, gnu::used]] type rt_system_##name parameters __asm__(#name);                                          \
    type rt_system_##name parameters                                                                                   \
    {                                                                                                                  \
        using function = type parameters;                                                                              \
        static function *const next = (function *)dlsym(RTLD_NEXT, #name);                                             \
        rt::system_call{#name, __builtin_return_address(0)}.uses touched;                                              \
        return next arguments;                                                                                         \
    }

extern "C" {
RT_OF_SYSTEM(ssize_t, read, (int file, void *to, size_t n), (file, to, n), (to, n, true))
RT_OF_SYSTEM(ssize_t, pread, (int file, void *to, size_t n, off_t at), (file, to, n, at), (to, n, true))
RT_OF_SYSTEM(ssize_t, pread64, (int file, void *to, size_t n, off_t at), (file, to, n, at), (to, n, true))
RT_OF_SYSTEM(ssize_t, readv, (int file, const iovec *to, int n), (file, to, n), (to, n, true))
RT_OF_SYSTEM(ssize_t, preadv, (int file, const iovec *to, int n, off_t at), (file, to, n, at), (to, n, true))
RT_OF_SYSTEM(ssize_t, preadv64, (int file, const iovec *to, int n, off_t at), (file, to, n, at), (to, n, true))
RT_OF_SYSTEM(ssize_t, recv, (int of, void *to, size_t n, int flags), (of, to, n, flags), (to, n, true))
RT_OF_SYSTEM(ssize_t, recvfrom, (int of, void *to, size_t n, int flags, sockaddr *by, socklen_t *size),
             (of, to, n, flags, by, size), (to, n, true))
RT_OF_SYSTEM(ssize_t, recvmsg, (int of, msghdr *all, int flags), (of, all, flags), (all->msg_iov, all->msg_iovlen, true))
RT_OF_SYSTEM(ssize_t, write, (int file, const void *from, size_t n), (file, from, n), (from, n, false))
RT_OF_SYSTEM(ssize_t, pwrite, (int file, const void *from, size_t n, off_t at), (file, from, n, at), (from, n, false))
RT_OF_SYSTEM(ssize_t, pwrite64, (int file, const void *from, size_t n, off_t at), (file, from, n, at), (from, n, false))
RT_OF_SYSTEM(ssize_t, writev, (int file, const iovec *from, int n), (file, from, n), (from, n, false))
RT_OF_SYSTEM(ssize_t, pwritev, (int file, const iovec *from, int n, off_t at), (file, from, n, at), (from, n, false))
RT_OF_SYSTEM(ssize_t, pwritev64, (int file, const iovec *from, int n, off_t at), (file, from, n, at), (from, n, false))
RT_OF_SYSTEM(ssize_t, send, (int to, const void *from, size_t n, int flags), (to, from, n, flags), (from, n, false))
RT_OF_SYSTEM(ssize_t, sendto, (int to, const void *from, size_t n, int flags, const sockaddr *whom, socklen_t size),
             (to, from, n, flags, whom, size), (from, n, false))
RT_OF_SYSTEM(ssize_t, sendmsg, (int to, const msghdr *all, int flags), (to, all, flags), (all->msg_iov, all->msg_iovlen, false))
RT_OF_SYSTEM(ssize_t, getrandom, (void *to, size_t n, unsigned flags), (to, n, flags), (to, n, true))
RT_OF_SYSTEM(size_t, fread, (void *to, size_t bytes, size_t n, FILE *file), (to, bytes, n, file), (to, bytes * n, true))
RT_OF_SYSTEM(size_t, fwrite, (const void *from, size_t bytes, size_t n, FILE *file), (from, bytes, n, file),
             (from, bytes * n, false))
RT_OF_SYSTEM(size_t, fread_unlocked, (void *to, size_t bytes, size_t n, FILE *file), (to, bytes, n, file),
             (to, bytes * n, true))
RT_OF_SYSTEM(size_t, fwrite_unlocked, (const void *from, size_t bytes, size_t n, FILE *file), (from, bytes, n, file),
             (from, bytes * n, false))
RT_OF_SYSTEM(int, getentropy, (void *to, size_t n), (to, n), (to, n, true))
RT_OF_SYSTEM(int, mlock, (const void *at, size_t n), (at, n), (at, n, false))
// What some of them are called where the compiler knows the size of an object (_FORTIFY_SOURCE).
RT_OF_SYSTEM(ssize_t, __read_chk, (int file, void *to, size_t n, size_t room), (file, to, n, room), (to, n, true))
RT_OF_SYSTEM(ssize_t, __pread_chk, (int file, void *to, size_t n, off_t at, size_t room), (file, to, n, at, room), (to, n, true))
RT_OF_SYSTEM(ssize_t, __pread64_chk, (int file, void *to, size_t n, off_t at, size_t room), (file, to, n, at, room), (to, n, true))
RT_OF_SYSTEM(ssize_t, __recv_chk, (int of, void *to, size_t n, size_t room, int flags), (of, to, n, room, flags), (to, n, true))
RT_OF_SYSTEM(ssize_t, __recvfrom_chk, (int of, void *to, size_t n, size_t room, int flags, sockaddr *by, socklen_t *size),
             (of, to, n, room, flags, by, size), (to, n, true))
RT_OF_SYSTEM(size_t, __fread_chk, (void *to, size_t room, size_t bytes, size_t n, FILE *file), (to, room, bytes, n, file),
             (to, bytes * n, true))
RT_OF_SYSTEM(size_t, __fread_unlocked_chk, (void *to, size_t room, size_t bytes, size_t n, FILE *file),
             (to, room, bytes, n, file), (to, bytes * n, true))
}
#undef RT_OF_SYSTEM

// Memory that is filled is written whole: what the device has of it need not come home before.
#define RT_FILL(name, parameters, arguments, is_right)                                                                 \
    [[gnu::weak, gnu::used]] void *rt_system_##name parameters __asm__(#name);                                         \
    void *rt_system_##name parameters                                                                                  \
    {                                                                                                                  \
        using function = void *parameters;                                                                             \
        static function *const next = (function *)dlsym(RTLD_NEXT, #name);                                             \
        if (!(is_right) || !rt::system_call::may_be_filled(to, n)) return next arguments;                              \
        void *const all = to;                                                                                          \
        for (const rt::span &s : rt::system_call{"memset", __builtin_return_address(0)}.fills(to, n, value)) {         \
            to = (void *)s.first, n = s.last - s.first;                                                                \
            next arguments;                                                                                            \
        }                                                                                                              \
        return all;                                                                                                    \
    }
extern "C" {
RT_FILL(memset, (void *to, int value, size_t n), (to, value, n), true)
RT_FILL(__memset_chk, (void *to, int value, size_t n, size_t room), (to, value, n, room), n <= room)
}
#undef RT_FILL
#endif
