// What stays on the device of arrays whose rows lie behind pointers. It is known by its table of pointers, and kept in mind
// row by row: of each, one range of elements that the device has, and in it one that the host has not. What the host uses of
// a row comes home with all that is newer in it.
#pragma once

#include "rt_stay_device.h"

namespace rt {

class stay_of_rows : public stay {
public:
    const void *const table;
    const list<long> extents; // on the device, outermost first
    const size_t element_bytes;

    explicit stay_of_rows(const rows &like)
        : table(like.table), extents(like.extents), element_bytes(like.element_bytes)
    {
        long n_rows = 1;
        for (size_t k = 0; k < extents.size(); k++) {
            long &product = k < like.n_pointers ? n_rows : row_length;
            product *= extents[k];
        }
        all.assign(n_rows, kept());
    }
    void host_uses(const span &used, const bool writes) override
    {
        if (writes ? n_valid == 0 : n_newer == 0) return;
        const list<size_t> touched = within(used);
        send(touched, [](const kept &) { return true; });
        if (!writes) return;
        for (const size_t k : touched) {
            if (all[k].valid.is_some()) give_up(k), written_at = running;
            set_valid(all[k], {0, 0});
        }
    }
    void forget(const span &written) override
    {
        if (n_valid == 0) return;
        const list<size_t> touched = within(written);
        send(touched, [&](const kept &row) {
            const span newer = on_host(row, row.newer);
            return newer.first < written.first || newer.last > written.last;
        });
        for (const size_t k : touched) set_newer(all[k], {0, 0}), set_valid(all[k], {0, 0});
    }
    bool is_empty() const override { return n_valid == 0; }
    // Its rows, or the pointers that lead to them.
    bool meets(const span &other) const override
    {
        return common(other, box).is_some() && (!within(other).empty() || pointers.meets(other));
    }
    span reach() const override { return box; }
    size_t valid_bytes(const span &of) const override
    {
        return bytes_of(of, n_valid, [](const kept &row) { return row.valid; });
    }
    size_t newer_bytes(const span &of) const override
    {
        return bytes_of(of, n_newer, [](const kept &row) { return row.newer; });
    }

    // Takes note of where the rows are. False if they do not lie apart: then nothing of them may stay.
    bool adopt(const rows &live)
    {
        list<size_t> moved;
        bool is_same = true;
        for (const row &r : live) {
            const kept &row = all[place_of(r)];
            if (row.host != r.host && row.host) moved.push_back(place_of(r));
            is_same = is_same && row.host == r.host && row.pointer == r.pointer && contains(row.known, {r.first(), r.last()});
        }
        if (is_same) return true;
        send(moved, [](const kept &) { return true; });
        for (const size_t k : moved) set_valid(all[k], {0, 0});
        for (const row &r : live) {
            kept &row = all[place_of(r)];
            row.known = row.host == r.host ? around(row.known, {r.first(), r.last()}) : range{r.first(), r.last()};
            row.host = r.host, row.pointer = r.pointer;
        }
        n_changes_of_place++;
        return sort_rows();
    }

protected:
    // A row, by its place on the device.
    struct kept {
        const char *pointer = nullptr;
        char *host = nullptr; // behind its pointer
        range known{0, 0};    // all of it that regions touch
        range valid{0, 0};    // of these, as they should be on the device
        range newer{0, 0};    // of these, what the host has not
    };
    list<kept> all;
    long row_length = 1;

    // Whether another stay is where its pointers are.
    bool pointers_meet(const stay &other) const
    {
        for (const span &s : pointers)
            if (other.meets(s)) return true;
        return false;
    }
    // In the order of the device.
    virtual void bring(const list<piece> &pieces) = 0;
    virtual void give_up(size_t) {}

    size_t place_of(const row &r) const { return (size_t)(r.position / row_length); }
    span on_host(const kept &row, const range &part) const
    {
        return {row.host + part.first * (long)element_bytes, row.host + part.last * (long)element_bytes};
    }
    piece to_piece(const size_t place, const range &part) const
    {
        return {all[place].host + part.first * (long)element_bytes,
                ((long)place * row_length + part.first) * element_bytes, (part.last - part.first) * element_bytes};
    }
    void set_valid(kept &row, const range &to) { set(row.valid, n_valid, to); }
    void set_newer(kept &row, const range &to) { set(row.newer, n_newer, to); }

    // Brings home what is newer in some of those rows.
    template <class F> void send(const list<size_t> &places, const F &is_sent)
    {
        if (n_newer == 0) return;
        list<piece> pieces;
        for (const size_t k : places) {
            if (!all[k].newer.is_some() || !is_sent(all[k])) continue;
            append(pieces, to_piece(k, all[k].newer));
            set_newer(all[k], {0, 0});
        }
        if (!pieces.empty()) bring(pieces);
    }

private:
    list<size_t> sorted; // places of rows, by where the host has them
    spans pointers;      // that lead to them
    span box{nullptr, nullptr};
    size_t n_valid = 0, n_newer = 0; // elements

    static void set(range &what, size_t &n, const range &to)
    {
        n -= what.last - what.first;
        what = to;
        n += what.last - what.first;
    }
    template <class F> size_t bytes_of(const span &of, const size_t n, const F &part) const
    {
        if (n == 0 || is_around(of)) return n * element_bytes;
        size_t bytes = 0;
        for (const size_t k : within(of)) {
            const span here = common(on_host(all[k], part(all[k])), of);
            if (here.is_some()) bytes += here.last - here.first;
        }
        return bytes;
    }
    span known(const size_t k) const { return on_host(all[sorted[k]], all[sorted[k]].known); }
    bool is_around(const span &s) const
    {
        return sorted.empty() || (s.first <= known(0).first && s.last >= known(sorted.size() - 1).last);
    }

    // False if two rows share an element, or are where pointers are.
    bool sort_rows()
    {
        sorted.clear();
        pointers = {};
        span next{nullptr, nullptr}; // pointers in a row
        for (size_t k = 0; k < all.size(); k++) {
            if (!all[k].known.is_some()) continue;
            sorted.push_back(k);
            if (all[k].pointer != next.last) pointers.add(next), next.first = all[k].pointer;
            next.last = all[k].pointer + sizeof(void *);
        }
        pointers.add(next);
        sort(sorted.begin(), sorted.size(), [&](const size_t a, const size_t b) {
            return on_host(all[a], all[a].known).first < on_host(all[b], all[b].known).first;
        });
        for (size_t k = 0; k + 1 < sorted.size(); k++)
            if (known(k).last > known(k + 1).first) return false;
        if (sorted.empty()) return true;
        box = {known(0).first, known(sorted.size() - 1).last};
        for (size_t k = 0; k < sorted.size(); k++)
            if (pointers.meets(known(k))) return false;
        const span tables = pointers.around();
        box = {box.first < tables.first ? box.first : tables.first, box.last > tables.last ? box.last : tables.last};
        return true;
    }

    // The rows of which bytes are among those, in the order of the device.
    list<size_t> within(const span &s) const
    {
        if (is_around(s)) {
            list<size_t> out;
            for (size_t k = 0; k < all.size(); k++)
                if (all[k].known.is_some()) out.push_back(k);
            return out;
        }
        size_t first = first_behind(sorted.size(), [&](const size_t k) { return known(k).last <= s.first; });
        list<size_t> out;
        for (; first < sorted.size() && known(first).first < s.last; first++) out.push_back(sorted[first]);
        sort(out.begin(), out.size(), [](const size_t a, const size_t b) { return a < b; });
        return out;
    }
};

// In memory of the device.
class rows_on_device : public stay_of_rows {
public:
    memory device;

    rows_on_device(const place &at, const char *name, const rows &like, const long elements)
        : stay_of_rows(like), device(at, name, elements, like.element_bytes), at(at)
    {
    }

    // What is left of those rows, or room for it; null where nothing may stay.
    static rows_on_device *of(const place &at, const char *name, const rows &live, const long elements)
    {
        static const bool may_run_again = env("RTCUDA_ON_ERROR"); // from what the host has
        if (may_run_again || elements <= 0) return nullptr;
        for (const row &r : live)
            if (!may_stay(r.host)) return nullptr;
        rows_on_device *here = find(live.table, live.element_bytes, live.extents.size());
        if (here && here->users > 0) return nullptr;
        if (here && !here->has_room_for(live)) {
            here->give_back();
            here = nullptr;
        }
        if (!here) {
            here = new rows_on_device(at, name, live, elements);
            add_stay(here);
        }
        here->at = at;
        here->device.rename(name);
        if (here->adopt(live)) return here;
        here->give_back();
        return nullptr;
    }
    static rows_on_device *find(const void *const table, const size_t element_bytes, const size_t rank)
    {
        for (stay *const s : stays)
            if (rows_on_device *const here = dynamic_cast<rows_on_device *>(s);
                here && here->table == table && here->element_bytes == element_bytes && here->extents.size() == rank)
                return here;
        return nullptr;
    }

    // Whether nothing else that stays is of the same memory, its pointers included.
    bool is_alone()
    {
        if (alone_since == n_changes_of_place) return true;
        const stay *const other = stays.find(reach(), [&](const stay &s) {
            if (&s == this) return false;
            if (pointers_meet(s)) return true;
            for (const kept &row : all)
                if (row.known.is_some() && s.meets(on_host(row, row.known))) return true;
            return false;
        });
        if (!other) alone_since = n_changes_of_place;
        return !other;
    }
    // Whether what comes in of those rows is as it should be here, at the same place.
    bool has(const rows &live) const
    {
        if (!has_room_for(live)) return false;
        for (const row &r : live) {
            const kept &row = all[place_of(r)];
            if (row.host != r.host || !contains(row.valid, {r.in_first, r.in_last})) return false;
        }
        return true;
    }
    // What must come in, in the order of the device: between the pieces of one list the device has nothing of use.
    list<list<piece>> missing(const rows &live)
    {
        list<list<piece>> out = pieces_of(live);
        if (out.size() > most_copies) { // all of it in one
            host_uses(everywhere, true);
            out = pieces_of(live);
        }
        for (const row &r : live) {
            kept &row = all[place_of(r)];
            set_valid(row, around(row.valid, {r.in_first, r.in_last}));
        }
        if (!is_alone())
            for (const list<piece> &pieces : out)
                for (const piece &p : pieces) rt::host_uses({p.host, p.host + p.bytes}, false, this);
        return out;
    }
    // A region wrote what goes out of the rows, and pays when they come home. What lies between that and what was known before
    // is as the host has it, or is forgotten.
    void leave(const rows &live, patience *const of_region)
    {
        left_by = of_region;
        list<size_t> apart;
        for (const row &r : live)
            if (!meet(all[place_of(r)].valid, {r.out_first, r.out_last})) apart.push_back(place_of(r));
        send(apart, [](const kept &) { return true; });
        for (const size_t k : apart) set_valid(all[k], {0, 0});
        for (const row &r : live) {
            const range out{r.out_first, r.out_last};
            kept &row = all[place_of(r)];
            set_valid(row, around(row.valid, out));
            set_newer(row, around(row.newer, out));
        }
        if (is_alone()) return;
        for (const row &r : live)
            if (r.out_first < r.out_last) rt::forget(on_host(all[place_of(r)], {r.out_first, r.out_last}), this);
    }

private:
    static constexpr size_t most_copies = 16;
    place at; // the region that left it last
    patience *left_by = nullptr;
    long alone_since = -1; // when nothing else was found to stay of the same memory

    void bring(const list<piece> &pieces) override
    {
        bring_home(at, left_by, device.array_name(), bytes_in(pieces), [&] { device.to_rows(at, pieces); });
    }
    void give_back()
    {
        host_uses(everywhere, true);
        drop_stays();
    }
    // Rows as long as here; there may be more of them.
    bool has_room_for(const rows &live) const
    {
        for (size_t k = 1; k < extents.size(); k++)
            if (live.extents[k] != extents[k]) return false;
        return live.extents[0] <= extents[0];
    }
    list<list<piece>> pieces_of(const rows &live) const
    {
        list<list<piece>> out;
        bool is_cut = true; // something valid lies behind the last piece
        size_t at = 0;
        for (const row &r : live) {
            for (; at < place_of(r); at++) is_cut = is_cut || all[at].valid.is_some();
            const range &valid = all[at].valid, wanted = around(valid, {r.in_first, r.in_last});
            for (const range &part : {range{wanted.first, valid.is_some() ? valid.first : wanted.last},
                                      range{valid.is_some() ? valid.last : wanted.last, wanted.last}}) {
                if (part.is_some()) {
                    if (is_cut) out.push_back({});
                    is_cut = false;
                    append(out.back(), to_piece(at, part));
                }
                is_cut = is_cut || valid.is_some();
            }
            at++;
        }
        return out;
    }
};

// Makes rows as long as what is on the device of them already, so that it can be used.
inline void fit(const void *const table, const size_t element_bytes, const std::initializer_list<long *> lengths)
{
    const rows_on_device *const here = rows_on_device::find(table, element_bytes, lengths.size() + 1);
    if (!here) return;
    size_t k = 1;
    for (long *const length : lengths) {
        if (length && *length < here->extents[k]) *length = here->extents[k];
        k++;
    }
}

} // namespace rt
