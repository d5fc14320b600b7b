// Whether memory of the host's that a region touches by several names lies apart.
#pragma once

#include <initializer_list>

#include "rt_stay_rows.h"

namespace rt {

// Arrays that may be the same: the one is only read, the other written.
struct same {
    const char *read, *written;
};

// An array of rows, and where it is known already, if it is.
struct rows_touched {
    const char *name;
    const rows *live;
    bool written, exchanges;
    rows_on_device *there;
    // Arrays that the pointers lie in, members of the same structures: they take these home as they came.
    std::initializer_list<const char *> within;

    bool goes_home(const char *const pointer, const list<host_range> &blocks) const
    {
        for (const host_range &block : blocks)
            for (const char *const around : within)
                if (strcmp(block.name, around) == 0 && block.first <= pointer && pointer + sizeof(void *) <= block.last)
                    return true;
        return false;
    }
};

// Ranges in the order of their beginnings, one after the other, beside how far each array has come.
class sweep {
public:
    explicit sweep(const std::initializer_list<same> pairs) : pairs(pairs) {}

    // What the next one overlaps, with one of them written; null where it may.
    const host_range *add(const host_range &next)
    {
        reached *own = nullptr;
        for (reached &r : all) {
            if (r.of.name == next.name) own = &r;
            const bool is_apart = r.of.last <= next.first || !(r.of.written || next.written);
            if (!is_apart && !may_be_same(r.of, next)) return r.by;
        }
        if (!own) {
            all.push_back({next, &next});
        } else if (own->of.last <= next.first) {
            *own = {next, &next};
        } else {
            if (own->of.whole != next.whole) own->of.whole = nullptr;
            own->of.written |= next.written;
            if (next.last > own->of.last) own->of.last = next.last, own->by = &next;
        }
        return nullptr;
    }

private:
    struct reached {
        host_range of; // and all of the array that it overlaps
        const host_range *by;
    };
    const std::initializer_list<same> pairs;
    list<reached> all;

    bool may_be_same(const host_range &a, const host_range &b) const
    {
        const auto are = [](const same &pair, const host_range &x, const host_range &y) {
            return strcmp(pair.read, x.name) == 0 && strcmp(pair.written, y.name) == 0;
        };
        if (!a.whole || a.whole != b.whole || a.table != b.table) return false;
        for (const same &pair : pairs)
            if (are(pair, a, b) || are(pair, b, a)) return true;
        return false;
    }
};

// The addresses of rows, and of the pointers that lead to them, which may be written. Ranges one behind the other are one, but
// where rows behind one pointer may be the same in two arrays.
inline void add_rows(list<host_range> &out, const rows_touched &of, const list<host_range> &blocks,
                     const std::initializer_list<same> pairs)
{
    bool coincides = false;
    for (const same &pair : pairs) coincides |= strcmp(pair.read, of.name) == 0 || strcmp(pair.written, of.name) == 0;
    const auto add = [&](const host_range &r) {
        const bool is_next = !out.empty() && !r.whole && !out.back().whole && out.back().last == r.first;
        if (is_next && out.back().name == r.name && out.back().written == r.written)
            out.back().last = r.last;
        else
            out.push_back(r);
    };
    const long bytes = (long)of.live->element_bytes;
    for (const row &r : *of.live)
        if (!of.goes_home(r.pointer, blocks)) add({of.name, r.pointer, r.pointer + sizeof(void *), of.exchanges});
    for (const row &r : *of.live)
        add({of.name, r.host + r.first() * bytes, r.host + r.last() * bytes, r.out_first < r.out_last,
             coincides ? r.pointer : nullptr, of.live->table});
}

// Whether that is known without a look at each row: those that stay on the device lie apart from all else that stays.
inline bool are_known_apart(const list<host_range> &blocks, const std::initializer_list<rows_touched> all)
{
    for (const rows_touched &rows : all) {
        if (!rows.there || rows.exchanges || !rows.there->is_alone()) return false;
        for (const host_range &block : blocks)
            if ((block.written || rows.written) && rows.there->meets({block.first, block.last})) return false;
    }
    return true;
}

// What overlaps of a region's arrays, with one of them written, that may not; nothing, if nothing does.
inline text overlap(const list<host_range> &blocks, const std::initializer_list<rows_touched> rows,
                    const std::initializer_list<same> pairs)
{
    list<host_range> all = blocks;
    if (!are_known_apart(blocks, rows))
        for (const rows_touched &r : rows) add_rows(all, r, blocks, pairs);
    list<const host_range *> sorted;
    for (const host_range &r : all)
        if (r.first < r.last) sorted.push_back(&r);
    sort(sorted.begin(), sorted.size(), [](const host_range *a, const host_range *b) { return a->first < b->first; });
    sweep sweep(pairs);
    for (const host_range *const r : sorted) {
        const host_range *const other = sweep.add(*r);
        if (!other) continue;
        const char *const first = (r < other ? r : other)->name, *const second = (r < other ? other : r)->name;
        return strcmp(first, second) == 0 ? format("rows of %s overlap, and are written", first)
                                          : format("%s and %s overlap, and one of them is written", first, second);
    }
    return {};
}

} // namespace rt
