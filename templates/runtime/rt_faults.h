// Touches of pages that are closed to the program (rt_pages.h): the signal that comes of one brings home what is touched, and the
// access is made again. A fault of the program's own goes to the handler that it has installed, or ends it as ever.
//
// Uses that cannot be made again are asked before: a child of fork has no device; an allocator takes back a block that is to be as
// the program left it; the system fails where it is handed closed memory (rt_system.h).
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <ucontext.h>
#include <unwind.h>

#include "rt_stay_device.h"

namespace rt {

// The program's own wish for faults.
inline struct sigaction faults_of_program;

// Test that the access that faulted writes; a read, where the machine does not say: then it faults once more.
inline bool is_write(const void *const context)
{
#if defined(__x86_64__)
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
    (void)context;
    return false;
#endif
}

// Code of the program around the runtime: neither the C library's nor another library's.
inline block own_code;

// The instruction of the program's that touches memory, where the profile is to say it: the one that faulted, or the call of a
// library that did.
inline user_line touching(const void *const context)
{
    if (!own_code.is_some()) return {};
#if defined(__x86_64__)
    const char *const at = (const char *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    const char *const at = (const char *)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    const char *const at = nullptr;
#endif
    struct search {
        const char *faulted, *found;
        bool is_behind; // the frames of this handler
    } s{at, at, false};
    const auto look = [](_Unwind_Context *const frame, void *const data) {
        search &s = *(search *)data;
        int is_exact = 0;
        const char *const here = (const char *)_Unwind_GetIPInfo(frame, &is_exact);
        s.is_behind |= here == s.faulted;
        if (!s.is_behind || !own_code.holds(here, here + 1)) return _URC_NO_REASON;
        s.found = is_exact ? here : here - 1;
        return _URC_END_OF_STACK;
    };
    if (at && !own_code.holds(at, at + 1)) _Unwind_Backtrace(look, &s);
    return {nullptr, 0, s.found};
}

// Brings home what stays at an address; false where the access cannot have failed because of that.
inline bool bring_touched(const char *const at, const bool writes, const void *const context)
{
    static thread_local const char *last = nullptr;
    static thread_local long n_then = -1;
    const span page = pages_around({at, at + 1});
    if (!guarded.may_meet(page)) return false;
    const turn taken;
    if (!guarded.is_open(page)) {
        const because_of now{running.is_known() ? running : touching(context)};
        stays.each(page, [&](stay &s) { s.is_touched(at, writes); });
        note_stays();
        last = nullptr;
        return true;
    }
    // Another thread may have opened it meanwhile.
    const bool is_new = at != last || guarded.n_openings != n_then;
    last = at, n_then = guarded.n_openings;
    return is_new;
}

using set_action = int(int, const struct sigaction *, struct sigaction *);
inline set_action *system_sigaction()
{
    static set_action *const found = (set_action *)dlsym(RTLD_NEXT, "sigaction");
    return found;
}

// Signals that end the program do so meanwhile; the program's own handlers wait.
inline void let_ends_through()
{
    sigset_t ends;
    sigemptyset(&ends);
    for (const int end : {SIGINT, SIGTERM, SIGQUIT, SIGHUP}) {
        struct sigaction now {};
        if (system_sigaction()(end, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) sigaddset(&ends, end);
    }
    mask_signals(SIG_UNBLOCK, &ends, nullptr);
}

// Signals of a handler's own making, which no thread can put off.
inline bool is_of_instruction(const int number)
{
    for (const int one : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
        if (number == one) return true;
    return false;
}
// The program handles a signal from here on, or no more.
inline void note_handler(const int number, const struct sigaction &wanted)
{
    if (is_of_instruction(number)) return;
    const bool is_handled = (wanted.sa_flags & SA_SIGINFO) || (wanted.sa_handler != SIG_DFL && wanted.sa_handler != SIG_IGN);
    if (!is_handled) return (void)sigdelset(&waiting_signals, number);
    sigaddset(&waiting_signals, number);
    if (signals_may_wait) signals_wait = true;
}
inline void note_handlers()
{
    for (int number = 1; number < NSIG; number++) {
        struct sigaction now {};
        if (system_sigaction()(number, nullptr, &now) == 0) note_handler(number, now);
    }
}

inline void on_fault(const int number, siginfo_t *const facts, void *const context)
{
    const int error_of_program = errno;
    let_ends_through();
    try {
        if (facts->si_code == SEGV_ACCERR && bring_touched((const char *)facts->si_addr, is_write(context), context)) {
            errno = error_of_program;
            return;
        }
    } catch (const error &e) {
        fprintf(stderr, "%s\n", e.message.c_str());
        end_failed();
    }
    const struct sigaction &own = faults_of_program;
    if (own.sa_flags & SA_SIGINFO) return own.sa_sigaction(number, facts, context);
    if (own.sa_handler != SIG_DFL && own.sa_handler != SIG_IGN) return own.sa_handler(number);
    // The access is made again, and ends the program; so does the signal, where it was sent.
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    system_sigaction()(number, &usual, nullptr);
    if (facts->si_code <= 0) raise(number);
}

// Of a block that ends nothing comes home; of one that moves, all does.
inline void end_block(const block &of, const mover *const by)
{
    const turn taken;
    const span all{of.first, of.last};
    if (!by) return forget(all);
    const because_of now{{nullptr, 0, by->code, by->name}};
    host_uses(all, true);
}

inline void watch_touches()
{
    if (is_watching) return;
    is_watching = true;
    note_handlers();
    if (env("RTCUDA_PROFILE")) own_code = loaded::with((const char *)&touching).part;
    struct sigaction ours {};
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO; // not on a stack of the program's for signals, which may be short
    sigfillset(&ours.sa_mask);
    system_sigaction()(SIGSEGV, &ours, &faults_of_program);
    block_ends = end_block;
    pthread_atfork(
        [] {
            const turn taken;
            pthread_mutex_lock(&whose_turn);
            const because_of now{{nullptr, 0, nullptr, "fork"}};
            host_uses(everywhere, true);
        },
        [] { pthread_mutex_unlock(&whose_turn); },
        [] {
            whose_turn = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
            guarded.belong_to_child();
        });
}

} // namespace rt
