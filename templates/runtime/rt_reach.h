// How far memory goes behind a pointer, where the program's text does not say it.
//
// Nothing that is computed rests on the answer alone: what is copied to the device surely can be read, accesses whose
// subscripts only the data know are held to what was copied (rt_outside.h), and where other things of the program may lie
// in what was copied, only elements that the region changed go home.
#pragma once

#include "rt_allocator.h"
#include "rt_stay_device.h"
#include "rt_symbols.h"

namespace rt {

inline const void *of_program(const void *at);

// The part of the heap that grows by sbrk: its end sinks only where more than this is free behind the last block.
inline constexpr long heap_slack = 1 << 16;
inline block heap()
{
    static const char *const first = [] {
        FILE *const maps = fopen("/proc/self/maps", "r");
        char line[512];
        size_t found = 0;
        while (maps && !found && fgets(line, sizeof line, maps))
            if (strstr(line, "[heap]")) found = strtoul(line, nullptr, 16);
        if (maps) fclose(maps);
        return (const char *)found;
    }();
    return first ? block{first, (const char *)sbrk(0)} : block{nullptr, nullptr};
}

// A block that is not kept, by what the C library has written before it: a guess, which nothing rests on.
inline block little_block(const char *const at)
{
    const block all = heap();
    const size_t word = sizeof(size_t);
    const bool is_inside = all.holds(at, at + 2 * word) && (size_t)(at - all.first) >= 2 * word;
    if (!is_told() || !is_inside || (size_t)at % (2 * word) != 0) return {nullptr, nullptr};
    size_t header, next;
    memcpy(&header, at - word, word);
    const size_t bytes = header & ~(size_t)7;
    const bool is_likely = !(header & 6) && bytes >= 4 * word && bytes <= block_table::least_bytes + 4 * word;
    if (!is_likely || !all.holds(at, at + bytes)) return {nullptr, nullptr};
    memcpy(&next, at + bytes - word, word);
    return next & 1 ? block{at, at + bytes - word} : block{nullptr, nullptr};
}

// The block that is not kept around an address, wherever it begins: found by what the C library has written before each block from
// the last kept one on, or from the first of all. A guess, too.
inline block little_around(const char *const at)
{
    constexpr int most_steps = 1024;
    const block all = heap();
    const size_t word = sizeof(size_t);
    if (!is_told() || !all.holds(at, at + 1)) return {nullptr, nullptr};
    const char *const kept = blocks.last_begin(at);
    const char *first = kept && all.holds(kept, at) ? kept : all.first + 2 * word;
    for (int k = 0; k < most_steps && first <= at && all.holds(first, first + 2 * word); k++) {
        size_t header;
        memcpy(&header, first - word, word);
        const size_t bytes = header & ~(size_t)7;
        if ((header & 6) || bytes < 4 * word || bytes % (2 * word) != 0 || bytes > (size_t)(all.last - first)) break;
        if ((size_t)(at - first) < bytes - word) {
            const block found = little_block(first);
            return found.holds(at, at + 1) ? block{at, found.last} : block{nullptr, nullptr};
        }
        first += bytes;
    }
    return {nullptr, nullptr};
}

// Knowledge of the memory behind a pointer.
struct reach {
    void *host;
    bool is_there;  // whether all that is asked for can be read, now and as long as the region runs
    bool is_block;  // whether that is of one block: nothing else of the program lies there
    bool is_shared; // whether the region writes to it, and the program may have other things in it
    long held;      // elements of the block from the pointer on, where that was asked
    span all;       // the block, or everywhere where none is known

    // Test that it goes so far. A range without elements does.
    static reach covers(const void *const host, const range &touched, const size_t bytes, const bool is_written)
    {
        reach r{(void *)host, !touched.is_some(), true, false, 0, everywhere};
        if (r.is_there) return r;
        const char *const at = (const char *)of_program(host);
        long begin, end;
        if (__builtin_mul_overflow(touched.first, (long)bytes, &begin) ||
            __builtin_mul_overflow(touched.last, (long)bytes, &end))
            return r;
        if (!at || (begin < 0 && (size_t)-begin > (size_t)at) || (end > 0 && (size_t)end > ~(size_t)at)) return r;
        r.is_block = around(at + begin).holds(at + begin, at + end);
        r.is_there = r.is_block || is_readable(at + begin, at + end);
        r.is_shared = is_written && !r.is_block;
        return r;
    }
    // How far it goes: not at all where nothing is known; up to the first of `others` that lies behind in the same block.
    static reach whole(const void *const host, const size_t bytes, const bool is_written,
                       const std::initializer_list<const void *> others = {})
    {
        const char *const at = (const char *)of_program(host);
        block found = around(at);
        const bool is_block = found.is_some();
        if (!is_block) found = little_block(at);
        if (!found.is_some()) found = little_around(at);
        const char *last = found.last;
        for (const void *const other : others) {
            const char *const begin = (const char *)of_program(other);
            if (begin > at && begin < last) last = begin;
        }
        const long held = found.is_some() ? (long)((size_t)(last - at) / bytes) : 0;
        return {(void *)host, held > 0, is_block, is_written && !is_block, held, is_block ? span{found.first, found.last} : everywhere};
    }

    // The block that lies around an address, none where that is not known.
    static span block_around(const void *const host)
    {
        const char *const at = (const char *)of_program(host);
        const block found = around(at);
        return {found.first, found.last};
    }

private:
    // The block that an address lies in, if it is known: allocated, or static.
    static block around(const char *const at)
    {
        const block allocated = is_told() ? blocks.around(at) : block{nullptr, nullptr};
        const bool is_elsewhere = allocated.is_some() || heap().holds(at, at + 1) || of_stack().holds(at, at + 1);
        return is_elsewhere ? allocated : static_arrays::around(at);
    }
    static bool is_readable(const char *const first, const char *const last)
    {
        if (last - first <= heap_slack && heap().holds(first, last)) return true;
        return loaded::with(first).part.holds(first, last) || of_stack().holds(first, last);
    }
    // The part of this thread's stack that belongs to the functions that led here.
    static block of_stack()
    {
        return {(const char *)__builtin_frame_address(0), stack_top()};
    }
};

// The same of rows behind pointers; what is known of them is noted there.
inline bool are_there(rows &all, const bool are_written)
{
    for (const row &r : all) {
        const reach one = reach::covers(r.host, {r.first(), r.last()}, all.element_bytes, are_written);
        if (!one.is_there) return false;
        all.are_blocks &= one.is_block;
        all.are_shared |= one.is_shared;
    }
    return true;
}

} // namespace rt
