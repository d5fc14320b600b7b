// Arrays whose rows the host reaches through pointers (`double **a`): what of each row is live, and where it lies in the
// one block that the device has.
#pragma once

#include "rt_base.h"

namespace rt {

// Elements [first, last) of an array.
struct range {
    long first, last;
    bool is_some() const { return first < last; }
};

// What lies around two ranges. One without elements is nowhere, whatever its ends say.
inline range around(const range &a, const range &b)
{
    if (!a.is_some()) return b;
    if (!b.is_some()) return a;
    return {a.first < b.first ? a.first : b.first, a.last > b.last ? a.last : b.last};
}

inline bool contains(const range &a, const range &b) { return !b.is_some() || (a.first <= b.first && b.last <= a.last); }
// Whether nothing lies between two ranges.
inline bool meet(const range &a, const range &b)
{
    return !a.is_some() || !b.is_some() || (a.first <= b.last && b.first <= a.last);
}

// Elements of a host array that the region touches, as addresses. Those of two arrays with the same `whole`, if any, are at
// the same subscripts where they are at the same address.
struct host_range {
    const char *name, *first, *last;
    bool written;
    const void *whole = nullptr;
    const void *table = nullptr; // in which `whole` is the pointer to a row: in another table it is at another subscript
};

template <class T> host_range part_of(const char *name, const void *array, const range &r, const bool written)
{
    const T *const host = (const T *)array;
    return {name, (const char *)(host + r.first), (const char *)(host + (r.is_some() ? r.last : r.first)), written, host};
}

// A scalar of the host's, as such a range.
inline host_range place_of(const char *name, const void *at, const size_t bytes, const bool written)
{
    return {name, (const char *)at, (const char *)at + bytes, written};
}

// Bytes that lie together on both sides.
struct piece {
    char *host;
    size_t device, bytes; // from the array's beginning on the device
};
inline size_t bytes_in(const list<piece> &pieces)
{
    size_t bytes = 0;
    for (const piece &p : pieces) bytes += p.bytes;
    return bytes;
}

// A row: behind its pointer, elements [in_first, in_last) come in and [out_first, out_last) go out. Its element 0 is at
// `position` on the device.
struct row {
    const char *pointer;
    char *host;
    long position, in_first, in_last, out_first, out_last;

    long first() const { return in_first >= in_last || (out_first < out_last && out_first < in_first) ? out_first : in_first; }
    long last() const { return in_first >= in_last || (out_first < out_last && out_last > in_last) ? out_last : in_last; }
};

// Pieces that lie together on both sides are one.
inline void append(list<piece> &to, const piece &next)
{
    if (!to.empty() && to.back().host + to.back().bytes == next.host && to.back().device + to.back().bytes == next.device)
        to.back().bytes += next.bytes;
    else
        to.push_back(next);
}

// The pointer of that number in a table, in structures of so many bytes.
template <class T> T *const &pointer_at(const void *const table, const long at, const size_t bytes)
{
    return *(T *const *)((const char *)table + at * (long)bytes);
}

class rows {
public:
    const void *const table;       // of pointers, on the host
    const rt::list<long> extents;  // of the array on the device
    const size_t element_bytes;
    const size_t n_pointers; // that lead from the table to a row
    const size_t stride;     // bytes from one pointer to the next
    // Where the runtime has found out how far rows go: whether each is of one block, and whether the program may have other
    // things among what is written.
    bool are_blocks = true, are_shared = false;

    // Where no element is touched, the sizes may give negative extents.
    rows(const void *const table, rt::list<long> extents, const size_t element_bytes, const size_t n_pointers,
         const size_t stride = sizeof(void *))
        : table(table), extents(not_negative(extents)), element_bytes(element_bytes), n_pointers(n_pointers), stride(stride)
    {
    }

    // A row and the pointer that leads to it.
    template <class T> void add(T *const &pointer, row where)
    {
        if (where.first() >= where.last()) return;
        where.pointer = (const char *)&pointer;
        where.host = (char *)pointer;
        list.push_back(where);
    }
    const row *begin() const { return list.begin(); }
    const row *end() const { return list.end(); }

    // Whether the element at that position on the device goes out.
    bool writes(const long at) const
    {
        for (const row &r : list)
            if (at >= r.position + r.out_first && at < r.position + r.out_last) return true;
        return false;
    }

    // What moves, in the order of the device.
    rt::list<piece> pieces(const bool in) const
    {
        rt::list<piece> out;
        for (const row &r : list) {
            const long first = in ? r.in_first : r.out_first, last = in ? r.in_last : r.out_last;
            if (first >= last) continue;
            append(out, {r.host + first * (long)element_bytes, (r.position + first) * element_bytes,
                         (last - first) * element_bytes});
        }
        return out;
    }

    // Rows changed places on the device: row `first + k` has the elements of row `places[k]` of before. So it has its
    // pointer, too.
    void exchange(void **const table, const long first, const rt::list<long> &places)
    {
        rt::list<void *> before;
        for (size_t k = 0; k < places.size(); k++) before.push_back(is_moved(places, first, k) ? table[first + k] : nullptr);
        for (size_t k = 0; k < places.size(); k++)
            if (is_moved(places, first, k)) table[first + k] = before[places[k] - first];
        for (row &r : list) r.host = *(char *const *)r.pointer;
    }

private:
    rt::list<row> list;

    static const rt::list<long> &not_negative(rt::list<long> &extents)
    {
        for (long &extent : extents)
            if (extent < 0) extent = 0;
        return extents;
    }
    static bool is_moved(const rt::list<long> &places, const long first, const size_t k)
    {
        return places[k] != first + (long)k;
    }
};

} // namespace rt
