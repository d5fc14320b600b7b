// Arrays of an entry point on the device: what comes in, what goes home, and what stays there between regions.
#pragma once

#include "rt_host.h"

namespace rt {

// Elements of an array: (i, j) is at first + i * row + j * column; of many matrices, the next begins `batch` further.
template <class T> struct matrix {
    array<T> &of;
    long first, row, column, batch;
};

// The elements of an array from `first` on.
template <class T> struct walked {
    array<T> &of;
    long first;
};

// Where what a region leaves in an array is: it may stay on the device (see rt_stay.h), also guarded where nobody knows when the
// host touches it (rt_pages.h), or guarded where it can be and announced else; or nobody reads it.
enum class leaves { at_home, on_device, guarded, either, nothing };

// The elements that a copy in another form may have: none where memory is short, half of what is free being kept.
template <class T> long room(const long elements)
{
    return elements > 0 && memory::has_room(elements * sizeof(T)) ? elements : 0;
}

// The address of an array that the caller has on the device.
struct on_device {
    const void *address;
};

// An array on the device; its memory is given back at the end of the scope, unless what is in it stays. A temporary has no
// host address. Where no element is touched, the number of elements that the sizes give may be negative, and ranges say nothing.
template <class T> class array {
public:
    array(region &owner, const char *name, const void *host, const long elements, const leaves where = leaves::at_home)
        : owner(owner), name(name), host((T *)host), elements(elements > 0 ? elements : 0),
          there(is_compared ? nullptr : stay_of(where)),
          own(there ? nullptr : new_memory()), device(there ? there->device : *own)
    {
        if (there) there->users++;
        may_stay_next = (where == leaves::guarded || where == leaves::either) && !there && stay_on_device::is_new;
        owner.has_new_array |= may_stay_next;
    }
    // One of which the runtime has found out how far it goes. What stays on the device must be of one block; where the
    // program may have other things among its elements, those go home that the region has changed.
    array(region &owner, const char *name, const reach &found, const long elements, const leaves where = leaves::at_home)
        : array(owner, name, found.host, elements, found.is_block && !found.is_shared ? where : leaves::at_home)
    {
        sends_changes = found.is_shared;
    }
    // One that the caller has on the device.
    array(region &owner, const char *name, const on_device &given, const long elements)
        : owner(owner.begun()), name(name), host((T *)given.address), elements(elements > 0 ? elements : 0),
          own(new memory(name, given.address, countable(owner.at, name, elements, sizeof(T)), sizeof(T))), device(*own)
    {
    }
    // One whose rows the host has behind pointers.
    array(region &owner, const char *name, const rows &live, const long elements, const leaves where = leaves::at_home)
        : owner(owner), name(name), host(nullptr), elements(elements > 0 ? elements : 0),
          rows_there(stay_of(live, live.are_blocks ? where : leaves::at_home)), own(rows_there ? nullptr : new_memory()),
          sends_changes(live.are_shared), device(rows_there ? rows_there->device : *own)
    {
        if (rows_there) rows_there->users++;
    }
    array(const array &) = delete;
    ~array()
    {
        if (there) there->users--;
        if (rows_there) rows_there->users--;
        delete own;
        free(came_in);
        free(goes_home);
    }

    // Between the numbers of an array of structures lie members that another array has: of each `count`, only those at these
    // positions go home.
    void own_members(const long count, const std::initializer_list<long> positions)
    {
        members = count;
        own_positions = positions;
        if (!goes_home) goes_home = room_on_host(elements);
    }

    // Moves elements [first, last), or what of them is not there yet.
    void copy_in(const long first, const long last)
    {
        if (!is_range(first, last)) return;
        const span all = bytes(first, last);
        if (!there) return bring(all);
        for (const piece &p : there->missing(all)) bring({p.host, p.host + p.bytes});
    }
    // Keeps what the device alone has of those elements until it is restored, or what takes its place goes out.
    void keep(const long first, const long last)
    {
        if (there && is_range(first, last)) there->keep(bytes(first, last));
    }
    void restore()
    {
        if (there) there->restore();
    }
    void copy_out(const long first, const long last)
    {
        if (!is_range(first, last)) return;
        const span all = bytes(first, last);
        forget(all, there);
        const size_t n = all.last - all.first;
        if (came_in) return goes_home_by(n, [&] { changes_to_host({first, last}); });
        if (members > 0) return goes_home_by(n, [&] { own_to_host({first, last}); });
        if (!there) return goes_home_by(n, [&] { device.to_host(owner.at, first, last, host); });
        there->leave(all, owner.left_by);
    }

    // Test that the caller's memory on the device goes as far as all of its elements.
    bool is_there() const { return device.goes_as_far((size_t)elements * sizeof(T)); }
    // Test that a vector of so many elements may begin at its first.
    template <int N> bool is_aligned() const { return device.is_aligned(widest(N * sizeof(T))); }

    // Its elements as a matrix: see rt_library.h.
    rt::matrix<T> matrix(const long first, const long row, const long column, const long batch = 0)
    {
        return {*this, first, row, column, batch};
    }

    // Its elements from a position on: see rt_sparse.h.
    walked<T> from(const long first) { return {*this, first}; }

    // Moves what is live of the rows that the host has behind pointers.
    void copy_in(const rows &live)
    {
        require_inside(live);
        if (rows_there) {
            for (const list<piece> &pieces : rows_there->missing(live))
                comes_by(bytes_in(pieces), rows_there->written_at, [&] { device.from_rows(owner.at, pieces); });
            return;
        }
        const list<piece> pieces = live.pieces(true);
        const rows_on_device *const same = rows_on_device::find(live.table, sizeof(T), live.extents.size());
        if (same && !sends_changes && !pieces.empty() && same->has(live)) {
            const long first = pieces[0].device / sizeof(T), last = (pieces.back().device + pieces.back().bytes) / sizeof(T);
            return owner.timed(&profile::copy_in, [&] { device.take(owner.at, same->device, first, first, last); });
        }
        if (!stays.empty())
            for (const piece &p : pieces) host_uses({p.host, p.host + p.bytes}, false);
        if (sends_changes) keep_what_comes_in(live);
        comes_by(bytes_in(pieces), {}, [&] { device.from_rows(owner.at, pieces); });
    }
    void copy_out(const rows &live)
    {
        if (rows_there) return rows_there->leave(live, owner.left_by);
        const list<piece> pieces = live.pieces(false);
        if (!stays.empty())
            for (const piece &p : pieces) forget({p.host, p.host + p.bytes});
        if (came_in) return goes_home_by(bytes_in(pieces), [&] { changes_to_host(live); });
        goes_home_by(bytes_in(pieces), [&] { device.to_rows(owner.at, pieces); });
    }

    long size() const { return elements; }
    const T *on_host() const { return host; }

    // One element: where the region writes (among elements [first, last), in rows) the device's, else the host's.
    T element(const long at, const long first, const long last)
    {
        return at >= first && at < last ? element(at) : element_of_host(((const T *)of_program(host))[at]);
    }
    T element(const long at, const rows &live, const T &here) { return live.writes(at) ? element(at) : element_of_host(here); }

    // One element, fetched from the device.
    T element(const long at)
    {
        if (at < 0 || at >= elements) outside(at, at + 1);
        T value{};
        goes_home_by(sizeof(T),
                    [&] { device.to_rows(owner.at, {{(char *)&value, at * sizeof(T), sizeof(T)}}); });
        return value;
    }

    // Elements [first, last), fetched from the device.
    list<T> elements_at(const long first, const long last)
    {
        list<T> values;
        if (first >= last) return values;
        if (first < 0 || last > elements) outside(first, last);
        values.assign(last - first, T());
        goes_home_by((last - first) * sizeof(T), [&] {
            device.to_rows(owner.at, {{(char *)&values[0], first * sizeof(T), (last - first) * sizeof(T)}});
        });
        return values;
    }

    // Rows of the host's, and whether the region writes to them and exchanges them.
    rows_touched touches(const rows &live, const bool written, const bool exchanges,
                         const std::initializer_list<const char *> within = {}) const
    {
        return {name, &live, written, exchanges, rows_there, within};
    }

private:
    region &owner;
    const char *name;
    T *host;
    const long elements;
    stay_on_device *const there = nullptr;
    rows_on_device *const rows_there = nullptr;
    memory *const own;
    bool may_stay_next = false; // from the next call on
    // Only what has changed since it came in goes home.
    bool sends_changes = false;
    T *came_in = nullptr;
    T *goes_home = nullptr; // room for that: when the first array goes home, none may fail to
    long came_in_from = 0, came_in_to = 0;
    long members = 0; // of a structure, of which those at these positions go home
    list<long> own_positions;

public:
    memory &device;

private:
    T *room_on_host(const long n) const
    {
        T *const room = (T *)malloc(n * sizeof(T));
        if (!room) fail_too_large(owner.at, format("array %s: no memory to compare it in", name), "use a smaller problem");
        return room;
    }
    void keep_what_comes_in(const range &in)
    {
        if (came_in) free(came_in);
        came_in = room_on_host(in.last - in.first);
        if (!goes_home) goes_home = room_on_host(elements);
        came_in_from = in.first;
        came_in_to = in.last;
        memcpy((void *)came_in, (const void *)(host + in.first), (in.last - in.first) * sizeof(T));
    }
    void keep_what_comes_in(const rows &live)
    {
        if (!came_in) came_in = room_on_host(elements);
        if (!goes_home) goes_home = room_on_host(elements);
        for (const row &r : live)
            if (r.in_first < r.in_last)
                memcpy((void *)(came_in + r.position + r.in_first), (const void *)((const T *)r.host + r.in_first),
                       (r.in_last - r.in_first) * sizeof(T));
    }
    void own_to_host(const range &out)
    {
        device.to_host(owner.at, out.first, out.last, goes_home);
        for (long begin = out.first / members * members; begin < out.last; begin += members)
            for (const long position : own_positions) {
                const long k = begin + position;
                if (k >= out.first && k < out.last) host[k] = goes_home[k];
            }
    }
    void changes_to_host(const range &out)
    {
        device.to_host(owner.at, out.first, out.last, goes_home);
        send_changes(host, goes_home, came_in - came_in_from, {came_in_from, came_in_to}, out);
    }
    void changes_to_host(const rows &live)
    {
        list<piece> pieces = live.pieces(false);
        for (piece &p : pieces) p.host = (char *)goes_home + p.device;
        device.to_rows(owner.at, pieces);
        for (const row &r : live)
            send_changes((T *)r.host, goes_home + r.position, came_in + r.position, {r.in_first, r.in_last}, {r.out_first, r.out_last});
    }
    // Elements of `out` that are others than those that came `in`, or did not come in.
    static void send_changes(T *const to, const T *const now, const T *const before, const range &in, const range &out)
    {
        for (long k = out.first; k < out.last; k++) {
            const bool came = k >= in.first && k < in.last;
            if (!came || memcmp((const void *)&now[k], (const void *)&before[k], sizeof(T)) != 0) to[k] = now[k];
        }
    }
    // From where the device has those bytes already, be it as part of another array or of several, or from the host.
    void bring(const span &all)
    {
        if (sends_changes) {
            host_uses(all, false, there);
            keep_what_comes_in({position(all.first), position(all.last)});
            return come(all);
        }
        spans left;
        left.add(all);
        for (const stay_on_device::part &p : stay_on_device::parts(all, host, sizeof(T), there)) {
            const long from = (p.bytes.first - p.of->host) / (long)sizeof(T);
            owner.timed(&profile::copy_in, [&] {
                device.take(owner.at, p.of->device, from, position(p.bytes.first), position(p.bytes.last));
            });
            left.remove(p.bytes);
        }
        for (const span &s : left) {
            host_uses(s, false, there);
            come(s);
        }
    }
    void come(const span &all)
    {
        comes_by(all.last - all.first, there ? there->written_at : user_line(),
                 [&] { device.from_host(owner.at, position(all.first), position(all.last), host); });
    }
    long position(const char *const at) const { return (at - (const char *)host) / (long)sizeof(T); }
    // Copies of so many bytes from the host, which wrote them there, and to it.
    template <class F> void comes_by(const size_t n, const user_line &because, const F &copy)
    {
        owner.timed(&profile::copy_in, [&] { owner.copied(there || rows_there || may_stay_next, copy); });
        if (owner.times) owner.times->add_move(name, n, false, because);
    }
    template <class F> void goes_home_by(const size_t n, const F &copy)
    {
        owner.timed(&profile::copy_out, [&] { owner.copied(may_stay_next, copy); });
        if (owner.times) owner.times->add_move(name, n, true, {});
    }
    span bytes(const long first, const long last) const { return {(char *)(host + first), (char *)(host + last)}; }
    static T element_of_host(const T &element)
    {
        host_uses({(const char *)&element, (const char *)(&element + 1)}, false);
        return element;
    }

    memory *new_memory()
    {
        return new memory(owner.begun().at, name, countable(owner.at, name, elements, sizeof(T)), sizeof(T));
    }
    stay_on_device *stay_of(const leaves where)
    {
        if (where == leaves::at_home) return nullptr;
        const place &at = owner.begun().at;
        const long n = countable(owner.at, name, elements, sizeof(T));
        if (where == leaves::on_device) return stay_on_device::of(at, name, (void *)host, n, sizeof(T));
        stay_on_device *const found = stay_on_device::guarded_of(at, name, (void *)host, n, sizeof(T));
        if (found || where == leaves::guarded) return found;
        stay_on_device *const announced = stay_on_device::of(at, name, (void *)host, n, sizeof(T));
        return announced && announced->users == 0 ? announced : nullptr; // two arrays of the region may be one
    }
    rows_on_device *stay_of(const rows &live, const leaves where)
    {
        if (where != leaves::on_device || is_compared) return nullptr;
        require_inside(live);
        return rows_on_device::of(owner.begun().at, name, live, countable(owner.at, name, elements, sizeof(T)));
    }
    void require_inside(const rows &live) const
    {
        for (const row &r : live)
            if (r.position + r.first() < 0 || r.position + r.last() > elements)
                outside(r.position + r.first(), r.position + r.last());
    }

    // Whether there is anything to move; all of it lies in the array.
    bool is_range(const long first, const long last) const
    {
        if (first >= last || elements == 0) return false;
        if (host && first >= 0 && last <= elements) return true;
        outside(first, last);
    }
    [[noreturn]] void outside(const long first, const long last) const
    {
        fail(owner.at, format("array %s: elements %ld to %ld of %ld are to be copied", name, first, last - 1, elements),
             "this is a fault of rtcuda: please report it with the C file");
    }
};

} // namespace rt
