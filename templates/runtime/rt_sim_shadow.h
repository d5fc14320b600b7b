// Shadow memory of the simulation: who touched an element last, and whether that is a race.
//
// Time is cut into intervals: a block starts one, each of its barriers starts the next, `__syncwarp` starts one for
// its warp alone. Every interval has a stamp of its own, and stamps grow. A barrier of the grid ends a phase of the
// launch: all of its blocks start an interval. Two accesses of one launch are ordered iff the same thread makes both,
// or a barrier of the grid is between, or both are of one block with a barrier between, or of one warp with a
// `__syncwarp` between. Two that are not ordered race, if one is a write and not both are atomic. (As in FastTrack,
// Flanagan and Freund, PLDI 2009, with a block's barriers in the place of vector clocks.)
//
// An element that an asynchronous copy is under way to is being written until its thread has waited: every access until
// then meets it.
//
// Two that are ordered by a barrier may still miss each other, where a parameter's type promises the compiler that no
// other thread writes what it has read: a stale read.
//
// Blocks that wait for their neighbours alone have a clock each: how far of every other block's stamps is behind it. A
// block takes over the clocks that its neighbours had when they came to the wait.
#pragma once

#include "rt_sim_report.h"

// Every access is compiled where it stands, unless the time to compile it matters more.
#ifndef RT_FAST
#define RT_FAST [[gnu::always_inline]] inline
#endif

namespace rt_sim {

// An access in 64 bits: stamp (32), thread in the block (10), line in the .cu file (22). 0: none.
using tag = unsigned long;
constexpr int line_bits = 22, thread_bits = 10;
constexpr tag floor_of(const unsigned stamp)
{
    return (tag)stamp << 32;
}
constexpr tag by_host = 1; // older than every launch
constexpr tag under_way = (tag)1 << 63; // of a write: it has begun, and has not arrived

// What the compiler may keep of an array over a barrier: nothing; what the thread itself has read or written, which no
// other touches (__restrict__); any element, which nobody writes (the read-only path).
enum class kept { nothing, own, all };
struct promise {
    kept keeps;
    tag since; // when a device function made it; 0: the launch
};

// Knowledge of an element. Two readers are enough: whoever writes, one of them is another thread; the later one gives
// way, so that one is of another block where there is one.
struct cell {
    tag write, atomic, read, read_too;
};

// An array that threads share: in device memory, or a tile of a block.
struct shared_array {
    const char *name;
    long extent; // elements
    cell *cells;
    long uninitialised; // elements that nobody has written (device memory; a tile's follow from its block)
    bool is_tile;
    unsigned written_in; // the last launch that may write it
    rt::list<long> dims; // of a tile; empty: one dimension

    rt::text subscripts(long index) const
    {
        if (dims.empty()) return rt::format("[%ld]", index);
        rt::text subscripts;
        for (size_t d = dims.size(); d-- > 0; index /= dims[d])
            subscripts = rt::format("[%ld]", index % dims[d]) + subscripts;
        return subscripts;
    }
};

// The launch, the block and the thread that run.
struct running {
    const char *kernel = "";
    unsigned launch = 0, stamp = 0;
    tag me = 0; // stamp and thread of the access that would be made now
    tag launch_floor = 0, phase_floor = 0, block_floor = 0, interval_floor = 0;
    tag tile_floor = 0; // when the block began: its tiles held nothing before
    unsigned thread = 0;
    index3 block{}, thread_idx{}, block_dim{}, grid_dim{};
    long launch_shared = 0; // bytes of tiles that the launch asked for
    struct started {
        unsigned stamp;
        index3 block;
    };
    rt::list<started> blocks; // of this launch, each with its first stamp of each phase
    const unsigned *behind = nullptr; // the clock of a block that has waited for its neighbours, by block
};
inline running now;

inline index3 thread_at(const unsigned thread)
{
    const index3 &d = now.block_dim;
    return {thread % d.x, thread / d.x % d.y, thread / (d.x * d.y)};
}

inline index3 block_of(const unsigned stamp)
{
    size_t lo = 0, hi = now.blocks.size();
    while (hi - lo > 1) {
        const size_t middle = (lo + hi) / 2;
        (now.blocks[middle].stamp <= stamp ? lo : hi) = middle;
    }
    return now.blocks[lo].block;
}

// Test that what another block did, or this one before it waited, is behind the running block.
[[gnu::cold, gnu::noinline]] inline bool is_behind(const tag before)
{
    return now.behind && (before >> 32) <= now.behind[block_of(before >> 32).x];
}

// Accesses before this are ordered: of earlier launches and phases, for a tile of other blocks.
RT_FAST tag horizon_of(const shared_array &a)
{
    return a.is_tile ? now.block_floor : now.phase_floor;
}

inline tag current_interval()
{
    return floor_of(now.me >> 32);
}

RT_FAST unsigned thread_of(const tag t)
{
    return t >> line_bits & ((1u << thread_bits) - 1);
}

// Whether an earlier access is ordered before what the running thread does now.
RT_FAST bool is_ordered(const tag before, const tag horizon)
{
    if (before < horizon) return true;
    if (before < now.block_floor) return is_behind(before); // another block
    if (before < now.interval_floor) return true;
    const unsigned thread = thread_of(before);
    if (thread == now.thread) return true;
    return thread / 32 == now.thread / 32 && (before >> 32) < (now.me >> 32);
}

// A finding of two accesses to one element: the running thread's and one before it.
[[gnu::cold, gnu::noinline]] inline void add_pair(const char *kind, const rt::text &message, const shared_array &a,
                                                  const rt::text &index, const access &here, const tag before,
                                                  const char *verb_before)
{
    const int line = before & ((1u << line_bits) - 1);
    add_finding({kind,
                 now.kernel,
                 a.name,
                 index,
                 a.name + index + message,
                 a.extent,
                 here,
                 true,
                 {verb_before, block_of(before >> 32), thread_at(thread_of(before)), {line, here.at.file}},
                 1});
}

// `extent` is the array's, of one dimension or of the one that `index` stands in.
[[gnu::cold, gnu::noinline]] inline void add_out_of_bounds(const char *array, const long index, const long extent,
                                                           const char *verb, const rt_where at)
{
    add_finding({"out-of-bounds",
                 now.kernel,
                 array,
                 rt::format("[%ld]", index),
                 rt::format("%s has elements 0 to %ld here, and %ld is asked for", array, extent - 1, index),
                 extent,
                 {verb, now.block, now.thread_idx, at},
                 false,
                 {},
                 1});
}

[[gnu::cold, gnu::noinline]] inline void add_uninitialised(const shared_array &a, const long index, const char *verb,
                                                           const rt_where at)
{
    const rt::text index_text = a.subscripts(index), element = a.name + index_text;
    add_finding({"uninitialised",
                 now.kernel,
                 a.name,
                 index_text,
                 element + " is used, and nothing has been written there",
                 a.extent,
                 {verb, now.block, now.thread_idx, at},
                 false,
                 {},
                 1});
}

[[gnu::cold, gnu::noinline]] inline void add_misaligned(const shared_array &a, const long index, const int bytes,
                                                        const char *verb, const rt_where at)
{
    const rt::text index_text = a.subscripts(index), element = a.name + index_text;
    add_finding({"misaligned",
                 now.kernel,
                 a.name,
                 index_text,
                 element + rt::format(" begins an access of %d bytes, and its address is no multiple of that", bytes),
                 a.extent,
                 {verb, now.block, now.thread_idx, at},
                 false,
                 {},
                 1});
}

// What an access checks and leaves behind. Written for speed: every access of a thread comes through here.
struct noting {
    shared_array &array;
    cell &c;
    const long index;
    const rt_where at;
    const char *const verb;
    const promise promised;
    const tag horizon;

    RT_FAST noting(shared_array &a, const long index, const rt_where at, const char *verb, const promise promised)
        : array(a), c(a.cells[index]), index(index), at(at), verb(verb), promised(promised), horizon(horizon_of(a))
    {
    }
    RT_FAST void conflicts_with(const tag before, const char *verb_before) const
    {
        if (before >= under_way)
            add_not_arrived(before - under_way);
        else if (!is_ordered(before, horizon))
            add_race(before, verb_before);
        else if (promised.keeps != kept::nothing && before >= now.launch_floor && before >= promised.since)
            check_not_kept(before, verb_before);
    }
    [[gnu::cold, gnu::noinline]] void add_race(const tag before, const char *verb_before) const
    {
        add_pair("race", " is touched by two threads with no barrier between", array, array.subscripts(index),
                 {verb, now.block, now.thread_idx, at}, before, verb_before);
    }
    [[gnu::cold, gnu::noinline]] void add_not_arrived(const tag begun) const
    {
        add_pair("not-arrived", " is touched while a copy to it is under way: a wait for the copy is missing", array,
                 array.subscripts(index), {verb, now.block, now.thread_idx, at}, begun, "began to copy");
    }
    [[gnu::noinline]] void check_not_kept(const tag before, const char *verb_before) const
    {
        const auto same = [](const index3 &a, const index3 &b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
        const bool mine = thread_of(before) == now.thread && same(block_of(before >> 32), now.block);
        if (mine && (promised.keeps == kept::own || promised.since != 0)) return; // of itself: before the call
        add_pair("stale-read",
                 promised.keeps == kept::all
                     ? " is read as rt_in, and this launch has written it: what was there before may be "
                       "read. An array through which threads exchange values is rt_exchanged"
                     : " is exchanged between threads, and the types rt_out and rt_inout let the "
                       "compiler keep over a barrier what a thread has read: it is to be rt_exchanged",
                 array, array.subscripts(index), {verb, now.block, now.thread_idx, at}, before, verb_before);
    }
    // Where `uninitialised` is 0, all of the array may have come from the host without a trace in its cells.
    RT_FAST void check_initialised() const
    {
        if (array.is_tile ? c.write < now.tile_floor && c.atomic < now.tile_floor
                          : array.uninitialised > 0 && c.write == 0 && c.atomic == 0) {
            add_uninitialised(array, index, verb, at);
        }
    }
    RT_FAST void count_first_write() const
    {
        if (array.uninitialised > 0 && c.write == 0 && c.atomic == 0) array.uninitialised--;
    }
    RT_FAST tag me() const { return now.me | (unsigned)at.line; }
};

// Whether the running thread was the last to do the same in this interval. Then nothing new can be said: whoever
// touched the element in between was held to that access.
RT_FAST bool is_mine(const tag last)
{
    return (last ^ now.me) >> line_bits == 0;
}

[[gnu::noinline]] inline void note_read(shared_array &a, const long index, const rt_where at, const promise promised)
{
    const noting n(a, index, at, "reads", promised);
    n.check_initialised();
    n.conflicts_with(n.c.write, "wrote");
    n.conflicts_with(n.c.atomic, "updated atomically");
    if (is_ordered(n.c.read, n.horizon))
        n.c.read = n.me();
    else
        n.c.read_too = n.me();
}

[[gnu::noinline]] inline void note_write(shared_array &a, const long index, const rt_where at, const promise promised)
{
    const noting n(a, index, at, "writes", promised);
    n.count_first_write();
    n.conflicts_with(n.c.write, "wrote");
    n.conflicts_with(n.c.atomic, "updated atomically");
    n.conflicts_with(n.c.read, "read");
    n.conflicts_with(n.c.read_too, "read");
    n.c.write = n.me();
}

// A copy to the element begins. What the thread has read there is behind it: its next access is to be looked at again.
[[gnu::noinline]] inline void note_begun(shared_array &a, const long index, const rt_where at)
{
    note_write(a, index, at, {kept::nothing, 0});
    cell &c = a.cells[index];
    c.write |= under_way;
    if (is_mine(c.read)) c.read = 0;
    if (is_mine(c.read_too)) c.read_too = 0;
}

// The thread has waited for it: as if it wrote the element now.
inline void note_arrived(shared_array &a, const long index, const rt_where at)
{
    a.cells[index].write = now.me | (unsigned)at.line;
}

[[gnu::noinline]] inline void note_atomic(shared_array &a, const long index, const rt_where at, const promise promised)
{
    const noting n(a, index, at, "updates atomically", promised);
    n.check_initialised();
    n.count_first_write();
    n.conflicts_with(n.c.write, "wrote");
    n.conflicts_with(n.c.read, "read");
    n.conflicts_with(n.c.read_too, "read");
    n.c.atomic = n.me();
}

} // namespace rt_sim
