// What every part of the runtime stands on: errors, environment variables, the exit status, JSON text.
#pragma once

#include <pthread.h> // with the threads of C++, nvcc takes half as long again for every file
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rt_containers.h"

namespace rt {

// A failure of the machine (no memory, no device, a fault in a kernel): never a property of the user's data.
struct error {
    text message;
};

// Regions on arrays of the device that are called in turn, as long as one of these is there: none of them waits for the device,
// which takes them in their order. The caller waits behind the last.
class in_turn {
    static int &depth()
    {
        static thread_local int n = 0;
        return n;
    }

public:
    in_turn() { depth()++; }
    ~in_turn() { depth()--; }
    in_turn(const in_turn &) = delete;
    static bool is_any() { return depth() > 0; }
};

// A region of the user's program, as messages name it. Two files may have regions of one name.
struct place {
    const char *region, *file;
    int line;
    bool operator==(const place &other) const
    {
        return strcmp(region, other.region) == 0 && strcmp(file, other.file) == 0 && line == other.line;
    }
};

// An array that does not fit on the device: nothing was changed yet.
struct too_large : error {
    place at;
    text what;
};

inline text error_text(const place &at, const text &what, const text &help)
{
    return format("rtcuda: region %s (%s:%d): %s\n  help: %s", at.region, at.file, at.line, what.c_str(), help.c_str());
}

// Throws an error: where, what happened, what to do.
[[noreturn]] inline void fail(const place &at, const text &what, const text &help)
{
    throw error{error_text(at, what, help)};
}
[[noreturn]] inline void fail_too_large(const place &at, const text &what, const text &help)
{
    const text all = help + "; or set too-large = \"original\" in the configuration, and the original loops run instead";
    throw too_large{{error_text(at, what, all)}, at, what};
}

// An environment variable; null where it is unset or empty.
inline const char *env(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : nullptr;
}

inline text bytes_text(const double bytes)
{
    if (bytes >= 1e9) return format("%.2f GB", bytes / 1e9);
    if (bytes >= 1e6) return format("%.2f MB", bytes / 1e6);
    return format("%.0f bytes", bytes);
}

inline double seconds_now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds since 1970.
inline double system_time()
{
    timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The widest access that so many bytes are made of.
constexpr int widest(const int bytes) { return bytes % 16 == 0 ? 16 : bytes & -bytes; }

class holding {
public:
    explicit holding(pthread_mutex_t &lock) : lock(lock) { pthread_mutex_lock(&lock); }
    holding(const holding &) = delete;
    ~holding() { pthread_mutex_unlock(&lock); }

private:
    pthread_mutex_t &lock;
};

// ---- exit: reports are written, and a program in which something was found does not end in success.

enum exit_code { exit_differs = 1, exit_failed = 3, exit_findings = 4 };

inline int exit_status = 0;
inline list<void (*)()> exit_reports;

// The program will end with this status. An error outranks findings, and these a difference.
inline void end_with(const exit_code status)
{
    if (exit_status == exit_failed) return;
    if (status == exit_failed || status > exit_status) exit_status = status;
}

inline void write_exit_reports()
{
    for (void (*report)() : exit_reports) report();
    if (exit_status == 0) return;
    fflush(nullptr);
    _exit(exit_status);
}

// Ends the program because of an error.
[[noreturn]] inline void end_failed()
{
    end_with(exit_failed);
    exit(exit_failed);
}

// Calls `report` when the program ends, before the exit status is decided.
inline void at_exit(void (*report)())
{
    if (exit_reports.empty()) atexit(write_exit_reports);
    exit_reports.push_back(report);
}

// The product of an array's extents: 0 where one is not positive, and the largest number of all where it is beyond that.
inline long elements(const std::initializer_list<long> extents)
{
    long product = 1;
    bool wraps = false;
    for (const long extent : extents) {
        if (extent <= 0) return 0;
        wraps = __builtin_mul_overflow(product, extent, &product) || wraps;
    }
    return wraps ? __LONG_MAX__ : product;
}

// That number of elements, none if it is negative; their bytes can be counted.
inline long countable(const place &at, const char *name, const long elements, const size_t element_bytes)
{
    if (elements <= __LONG_MAX__ / (long)element_bytes) return elements > 0 ? elements : 0;
    fail_too_large(at, format("array %s: its sizes give more bytes than can be addressed", name),
                   "see that the sizes are what they should be");
}

// Numbers that look random, the same for a seed: Knuth's MMIX generator.
struct generator {
    unsigned long state = 0;

    unsigned draw(const unsigned below)
    {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        return (unsigned)((state >> 33) % below);
    }
};

// Threads of the program that come to regions at the same time take turns: the device and this runtime are one. A
// comparison holds its turn while the original loops run, which may come to regions themselves.
inline pthread_mutex_t whose_turn = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

// Signals that the program handles and that wait for the end of a thread's turn: a handler may touch arrays that are kept on the
// device, and could not be answered amid the thread's own work on them; nor amid the C library's on its memory, of which the
// driver wants some for a copy. Whether there are any (rt_signals.h).
inline sigset_t waiting_signals;
inline volatile bool signals_wait = false;
// Pages may be closed, whose touches are heard of (rt_faults.h).
inline bool is_watching = false;
// Leave to hold them up: not where handlers end loops (rt_interrupt.h).
inline bool signals_may_wait = true;

// Changes the calling thread's mask of signals, by the system itself: a handler of faults may do so.
inline int mask_signals(const int how, const sigset_t *const set, sigset_t *const before)
{
    return (int)syscall(SYS_rt_sigprocmask, how, set, before, 8l);
}

// No signals for threads that begin meanwhile: these are the program's.
class without_signals {
    sigset_t before;

public:
    without_signals()
    {
        sigset_t all;
        sigfillset(&all);
        mask_signals(SIG_SETMASK, &all, &before);
    }
    without_signals(const without_signals &) = delete;
    ~without_signals() { mask_signals(SIG_SETMASK, &before, nullptr); }
};

// Holds up the program's handlers, where that is due.
class without_handlers {
    sigset_t before;
    const bool waits;

public:
    explicit without_handlers(const bool is_due)
        : waits(is_due && signals_wait && mask_signals(SIG_BLOCK, &waiting_signals, &before) == 0)
    {
    }
    without_handlers(const without_handlers &) = delete;
    ~without_handlers()
    {
        if (waits) mask_signals(SIG_SETMASK, &before, nullptr);
    }
};

// The turn of a thread, in which no handler comes.
class turn {
    const without_handlers meanwhile{true}; // also where the first page is closed in this turn
    const holding taken{whose_turn};

public:
    turn() {}
};

// Loss of the device: a child of a process that has begun CUDA cannot use it. All of its calls stay.
inline bool is_lost = false;

// Gives back memory of the device that can be done without, and says whether there was some.
inline bool (*make_room)() = [] { return false; };

// Why the last call of a region was left to the original loops: read by the verification.
inline text not_converted_reason;

// Leaves a call to the original loops. Each reason is told once.
inline void leave(const place &at, const char *reason)
{
    static list<text> told;
    const text line =
        format("rtcuda: region %s (%s:%d): the original loops run instead: %s\n", at.region, at.file, at.line, reason);
    bool is_new = true;
    for (const text &known : told) is_new = is_new && !(known == line);
    if (is_new) {
        told.push_back(line);
        fputs(line.c_str(), stderr);
    }
    not_converted_reason = reason;
}

// What an entry point returns after an error: the original loops run instead if the user asked for that.
inline int failed(const error &e)
{
    fprintf(stderr, "%s\n", e.message.c_str());
    const char *policy = env("RTCUDA_ON_ERROR");
    if (policy && strcmp(policy, "fallback") == 0) {
        fprintf(stderr, "  RTCUDA_ON_ERROR=fallback: the original loops run on the CPU\n");
        not_converted_reason = e.message;
        return 0;
    }
    end_failed();
}

// ---- JSON

inline text quoted(const text &plain)
{
    text out = "\"";
    for (const char *c = plain.c_str(); *c; c++) {
        const bool escaped = *c == '"' || *c == '\\' || (unsigned char)*c < 0x20;
        out += escaped ? format("\\u%04x", *c) : format("%c", *c);
    }
    return out += "\"";
}

// JSON has no infinities and no NaN: they become strings.
inline text number(const double value)
{
    const text digits = format("%.17g", value);
    return strpbrk(digits.c_str(), "in") ? quoted(digits) : digits;
}

inline void write_file(const char *path, const text &content)
{
    FILE *file = fopen(path, "w");
    const bool written = file && fputs(content.c_str(), file) >= 0;
    if (!file || fclose(file) != 0 || !written) fprintf(stderr, "rtcuda: %s cannot be written\n", path);
}

} // namespace rt
