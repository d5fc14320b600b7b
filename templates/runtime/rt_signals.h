// Signals of the program beside the runtime's own: a fault of a closed page (rt_pages.h) is answered whatever the program does
// with signals. Its handler of faults is called for faults of its own; no thread and no handler blocks SIGSEGV, since the system
// ends a program that faults where that is blocked. Weak symbols, as in rt_allocator.h.
#pragma once

#include <poll.h>
#include <sys/select.h>

#include "rt_faults.h"

namespace rt {

// A set of signals, without that of faults.
struct without_faults {
    sigset_t set;
    const sigset_t *pointer;
    explicit without_faults(const sigset_t *const wanted) : pointer(wanted ? &set : nullptr)
    {
        if (!wanted) return;
        set = *wanted;
        sigdelset(&set, SIGSEGV);
        *(unsigned long *)&set &= ~(3ul << 31); // of the C library's own, which it never lets be blocked
    }
};
inline int mask_of_program(const int how, const sigset_t *const wanted, sigset_t *const before)
{
    const without_faults masked(how == SIG_UNBLOCK ? nullptr : wanted);
    return mask_signals(how, how == SIG_UNBLOCK ? wanted : masked.pointer, before);
}

} // namespace rt

extern "C" {
[[gnu::weak, gnu::used]] int rt_sigaction(int, const struct sigaction *, struct sigaction *) noexcept __asm__("sigaction");
[[gnu::weak, gnu::used]] sighandler_t rt_signal(int, sighandler_t) noexcept __asm__("signal");
[[gnu::weak, gnu::used]] sighandler_t rt_signal_once(int, sighandler_t) noexcept __asm__("__sysv_signal");
[[gnu::weak, gnu::used]] int rt_sigprocmask(int, const sigset_t *, sigset_t *) noexcept __asm__("sigprocmask");
[[gnu::weak, gnu::used]] int rt_pthread_sigmask(int, const sigset_t *, sigset_t *) noexcept __asm__("pthread_sigmask");
[[gnu::weak, gnu::used]] int rt_sigsuspend(const sigset_t *) __asm__("sigsuspend");
[[gnu::weak, gnu::used]] int rt_pselect(int, fd_set *, fd_set *, fd_set *, const timespec *, const sigset_t *) __asm__("pselect");
[[gnu::weak, gnu::used]] int rt_ppoll(pollfd *, nfds_t, const timespec *, const sigset_t *) __asm__("ppoll");

int rt_sigaction(const int number, const struct sigaction *const wanted, struct sigaction *const before) noexcept
{
    if (number == SIGSEGV && rt::is_watching) {
        if (before) *before = rt::faults_of_program;
        if (wanted) rt::faults_of_program = *wanted;
        return 0;
    }
    if (!wanted) return rt::system_sigaction()(number, nullptr, before);
    struct sigaction masked = *wanted;
    sigdelset(&masked.sa_mask, SIGSEGV);
    const int status = rt::system_sigaction()(number, &masked, before);
    if (status == 0) rt::note_handler(number, masked);
    return status;
}
sighandler_t rt_signal(const int number, const sighandler_t handler) noexcept
{
    struct sigaction wanted {}, before {};
    wanted.sa_handler = handler;
    wanted.sa_flags = SA_RESTART;
    if (rt_sigaction(number, &wanted, &before) != 0) return SIG_ERR;
    return before.sa_handler;
}
// What `signal` is by the letter of System V, and where the compiler holds to C alone (-std=c99).
sighandler_t rt_signal_once(const int number, const sighandler_t handler) noexcept
{
    struct sigaction wanted {}, before {};
    wanted.sa_handler = handler;
    wanted.sa_flags = (int)SA_RESETHAND | SA_NODEFER;
    if (rt_sigaction(number, &wanted, &before) != 0) return SIG_ERR;
    return before.sa_handler;
}
int rt_sigprocmask(const int how, const sigset_t *const wanted, sigset_t *const before) noexcept
{
    return rt::mask_of_program(how, wanted, before);
}
int rt_pthread_sigmask(const int how, const sigset_t *const wanted, sigset_t *const before) noexcept
{
    const int error_before = errno, status = rt::mask_of_program(how, wanted, before), error = errno;
    errno = error_before;
    return status == 0 ? 0 : error;
}
int rt_sigsuspend(const sigset_t *const wanted)
{
    static auto *const next = (int (*)(const sigset_t *))dlsym(RTLD_NEXT, "sigsuspend");
    return next(rt::without_faults(wanted).pointer);
}
int rt_pselect(const int n, fd_set *const in, fd_set *const out, fd_set *const other, const timespec *const most,
               const sigset_t *const wanted)
{
    using function = int(int, fd_set *, fd_set *, fd_set *, const timespec *, const sigset_t *);
    static function *const next = (function *)dlsym(RTLD_NEXT, "pselect");
    return next(n, in, out, other, most, rt::without_faults(wanted).pointer);
}
int rt_ppoll(pollfd *const files, const nfds_t n, const timespec *const most, const sigset_t *const wanted)
{
    using function = int(pollfd *, nfds_t, const timespec *, const sigset_t *);
    static function *const next = (function *)dlsym(RTLD_NEXT, "ppoll");
    return next(files, n, most, rt::without_faults(wanted).pointer);
}
}
