// What an entry point is made of: the region, its arrays on the device, copies, launches. The same on both devices;
// these supply (rt_cuda.h, rt_sim.h) memory, launch_on_device, require_device, synchronise, mark, seconds_between.
#pragma once

#include <initializer_list>
#include <pthread.h>

#include "rt_profile.h"

namespace rt {

// Elements of a host array that the region touches, as addresses.
struct host_range {
    const char *name, *first, *last;
    bool written;
};

// Threads of the program that come to regions at the same time take turns: the device and this runtime are one. A
// comparison holds its turn while the original loops run, which may come to regions themselves.
inline pthread_mutex_t whose_turn = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
struct turn {
    turn() { pthread_mutex_lock(&whose_turn); }
    turn(const turn &) = delete;
    ~turn() { pthread_mutex_unlock(&whose_turn); }
};

class region {
    const turn taken;

public:
    const place at;

    region(const char *name, const char *file, const int line)
        : at{name, file, line}, times(profile_of(at)), start(begin(at, times))
    {
    }
    region(const region &) = delete;

    // Whether the conversion holds for this call; else the caller runs the original loops. Each reason is told once.
    bool holds(const bool condition, const char *reason)
    {
        if (condition) return true;
        static list<text> told;
        const text line = format("rtcuda: region %s (%s:%d): the original loops run instead: %s\n", at.region, at.file,
                                 at.line, reason);
        bool is_new = true;
        for (const text &known : told) is_new = is_new && !(known == line);
        if (is_new) {
            told.push_back(line);
            fputs(line.c_str(), stderr);
        }
        not_converted_reason = reason;
        return false;
    }

    // Whether arrays of different names share no element that one of them writes.
    bool disjoint(const std::initializer_list<host_range> ranges)
    {
        for (const host_range &a : ranges) {
            for (const host_range &b : ranges) {
                if (&b <= &a || !(a.written || b.written) || strcmp(a.name, b.name) == 0) continue;
                if (a.first < b.last && b.first < a.last) {
                    return holds(false,
                                 format("%s and %s overlap, and one of them is written", a.name, b.name).c_str());
                }
            }
        }
        return true;
    }

    // Runs a kernel over a grid; an empty grid is no launch. `line` is the kernel's in the C file.
    template <class... P, class... A>
    void launch(const char *kernel, const int line, void (*function)(P...), const rt_size3 grid, const rt_size3 block,
                A &&...arguments)
    {
        static_assert(sizeof...(P) == sizeof...(A), "one argument for each parameter of the kernel");
        if (grid.empty() || block.empty()) return;
        const place here{at.region, at.file, line};
        if (block.count() > 1024 || block.z > 64 || grid.x > 0x7fffffffL || grid.y > 65535 || grid.z > 65535) {
            fail(here,
                 format("kernel %s: a grid of %ld x %ld x %ld blocks of %ld x %ld x %ld threads is beyond the "
                        "hardware's limits",
                        kernel, grid.z, grid.y, grid.x, block.z, block.y, block.x),
                 "choose a smaller block in the configuration (at most 1024 threads), or a smaller problem");
        }
        const auto begin = time_mark();
        launch_on_device(here, kernel, function, grid, block, arguments...);
        if (times) add_span({begin, mark(), kernel, nullptr});
    }

    // Waits for the device and closes the region's times.
    void done()
    {
        synchronise(at);
        if (!times) return;
        close_spans();
        times->total.add(seconds_now() - start);
    }

private:
    template <class T> friend class array;
    using time_point = decltype(mark());
    struct span {
        time_point begin, end;
        const char *kernel;
        profile_row *row;
    };
    profile *const times;
    const double start;

    // The device is set up once a program; that is no part of a region's time.
    static double begin(const place &at, const profile *times)
    {
        require_device(at);
        return times ? seconds_now() : 0;
    }
    list<span> spans;

    void add_span(const span &s)
    {
        spans.push_back(s);
        if (spans.size() < 4096) return; // events are not free
        synchronise(at);
        close_spans();
    }
    void close_spans()
    {
        for (const span &s : spans) (s.kernel ? times->kernel(s.kernel) : *s.row).add(seconds_between(s.begin, s.end));
        spans.clear();
    }
    time_point time_mark() { return times ? mark() : time_point(); }
    template <class F> void timed(profile_row profile::*row, const F &copy)
    {
        const auto begin = time_mark();
        copy();
        if (times) add_span({begin, mark(), nullptr, &(times->*row)});
    }
};

// An array on the device; its memory is given back at the end of the scope. A temporary has no host address.
template <class T> class array {
public:
    array(region &owner, const char *name, const void *host, const long elements)
        : device(owner.at, name, elements > 0 ? elements : 0, sizeof(T)), owner(owner), name(name), host((T *)host),
          elements(elements)
    {
    }
    array(const array &) = delete;

    // Moves elements [first, last).
    void copy_in(const long first, const long last)
    {
        if (!is_range(first, last)) return;
        owner.timed(&profile::copy_in, [&] { device.from_host(owner.at, first, last, host); });
    }
    void copy_out(const long first, const long last)
    {
        if (!is_range(first, last)) return;
        owner.timed(&profile::copy_out, [&] { device.to_host(owner.at, first, last, host); });
    }

    // The addresses of elements [first, last) on the host.
    rt::host_range host_range(const long first, const long last, const bool written) const
    {
        return {name, (const char *)(host + first), (const char *)(host + (last > first ? last : first)), written};
    }

    memory device;

private:
    region &owner;
    const char *name;
    T *host;
    const long elements;

    // Whether there is anything to move; all of it lies in the array.
    bool is_range(const long first, const long last) const
    {
        if (first >= last) return false;
        if (host && first >= 0 && last <= elements) return true;
        fail(owner.at, format("array %s: elements %ld to %ld of %ld are to be copied", name, first, last - 1, elements),
             "this is a fault of rtcuda: please report it with the C file");
    }
};

} // namespace rt
