// Check mode: the converted version of a region runs on copies, the original on the user's arrays, and what is live
// afterwards is compared. Text to stderr; JSON to $RTCUDA_REPORT; exit status 1 where anything differs.
#pragma once

#include <initializer_list>

#include "rt_compare.h"
#include "rt_array.h"
#include "rt_left_behind.h"
#include "rt_stand_in.h"

namespace rt {

class tuner; // rt_tune.h, which `rtcuda tune` adds to programs that it measures

class check : witness {
public:
    friend class tuner;
    inline static bool ends_with_call = false; // nothing that the program does afterwards is wanted

    // Begins a call of a region: before the arrays are named.
    static check &open(const char *region, const char *file, const int line)
    {
        if (!stand_in::is_copy()) pthread_mutex_lock(&whose_turn); // until the call is closed
        is_compared = true;
        const place at{region, file, line};
        check *c = find(at);
        if (!c) {
            if (all.empty()) at_exit(write_report);
            all.push_back(c = new check(at));
        }
        c->arrays.clear();
        c->tables.clear();
        c->scalars.clear();
        c->release();
        c->calls++;
        return *c;
    }
    // Lets other threads take turns while the original loops run: a team of threads runs them together.
    struct pause {
        ~pause()
        {
            if (!stand_in::is_copy()) pthread_mutex_unlock(&whose_turn);
        }
    };
    static void take_up()
    {
        if (!stand_in::is_copy()) pthread_mutex_lock(&whose_turn);
    }
    // Whether this call runs the original alone, because RTCUDA_CHECK_FOR seconds have gone since the first one, or
    // within original loops that run again.
    static bool is_late()
    {
        if (stand_in::is_copy()) return true;
        static const char *const most = env("RTCUDA_CHECK_FOR");
        static const double begin = seconds_now();
        if (!most || seconds_now() - begin < atof(most)) return false;
        not_converted_reason = format("it came later than %s s after the first one", most);
        return true;
    }
    // C leaves it open which zero `fmax` and `fmin` give, and a library how it adds: the signs of zeros are not compared.
    void either_zero() { compares_zeros = false; }
    // The same call, after the original loops.
    static check &open_again(const char *region, const char *file, const int line)
    {
        host_uses(everywhere, false); // they may have come to regions, too
        return *find({region, file, line});
    }

    // An array of the region: `dims` outermost first, the elements that it may touch, and those that are compared. The
    // original loops write what the converted ones leave nothing in, too.
    void array(const char *name, const void *host, const size_t element_bytes, const type t,
               std::initializer_list<long> dims, const range &touched, const range &live,
               const leaves where = leaves::at_home)
    {
        const long last = touched.is_some() ? touched.last : touched.first;
        arrays.push_back({name, (const char *)host, element_bytes, t, dims, touched.first, last, live.first, live.last,
                          nullptr, 0});
        arrays.back().stays = where == leaves::on_device && may_stay(host);
        host_uses({arrays.back().begin(), arrays.back().end()}, live.is_some() || where == leaves::nothing);
    }

    // Of the members of its structures, of which there are `count`, those at these positions are its own.
    void own_members(const char *name, const long count, const std::initializer_list<long> positions)
    {
        list<char> &own = entry(name).own;
        own.assign(count, false);
        for (const long position : positions) own[position] = true;
    }

    // The same, for an array whose rows are behind pointers: each is an entry of its own.
    void array(const char *name, const size_t element_bytes, const type t, std::initializer_list<long> dims,
               const rows &live, const leaves where = leaves::at_home)
    {
        bool stays = where == leaves::on_device;
        for (const row &r : live) {
            stays = stays && may_stay(r.host);
            arrays.push_back({name, r.host, element_bytes, t, dims, r.first(), r.last(), r.out_first, r.out_last,
                              nullptr, r.position, (const char *const *)r.pointer});
            host_uses({arrays.back().begin(), arrays.back().end()}, r.out_first < r.out_last || where == leaves::nothing);
        }
        tables.push_back({name, dims, live.n_pointers, live, stays});
    }

    // The copy of an array, addressed as the original is. Arrays that overlap have copies that overlap.
    char *operator[](const char *name)
    {
        if (copies.empty()) copy_arrays();
        table *const t = find_table(name);
        char *const copy = t ? table_of(*t) : entry(name).copy;
        copies_of_program.push_back({copy, t ? t->live.table : entry(name).host});
        return copy;
    }

    // Where something lies among the copies: a scalar in an array that was copied is there, others are where they were.
    const void *moved(const void *host)
    {
        if (copies.empty()) copy_arrays();
        for (const stretch &a : arrays)
            if ((const char *)host >= a.begin() && (const char *)host < a.end()) return a.copy + ((const char *)host - a.host);
        return host;
    }

    // What the entry point returned when it ran on the copies.
    void converted(const int status)
    {
        was_converted = status != 0;
        if (!was_converted) {
            count_not_converted();
            return host_uses(everywhere, true);
        }
        for (const stretch &a : arrays) compare_outside(a);
    }

    // A scalar that the region writes: its value after the converted version.
    template <class T> void scalar(const char *name, const T value)
    {
        scalars.push_back({name, type_of<T>(), {}, {}});
        memcpy(scalars.back().converted, &value, sizeof value);
    }

    // The original loops come next. If they round, a copy of the process stays behind that can run them again.
    void stand_by()
    {
        bool rounds = false;
        for (const stretch &a : arrays) rounds |= is_float(a.t);
        for (const scalar_entry &s : scalars) rounds |= is_float(s.t);
        if (was_converted && rounds && tolerance(type::f64) > 0) aside.leave();
        original_began = seconds_now();
    }

    // Compares what the original left with what the converted version did.
    void compare(const char *name, const void *host)
    {
        if (!was_converted) return;
        if (!find_table(name)) {
            const stretch &a = entry(name);
            return compare_elements(a, (const char *)host, a.copy);
        }
        for (const stretch &a : arrays) {
            if (strcmp(a.name, name) != 0) continue;
            compare_elements(a, a.host, a.copy);
            if (!leads_alike(a)) {
                result(a.name).differing++;
                differs(a.name, a.position(0), "lies behind another pointer than in the original");
            }
        }
    }
    template <class T> void compare_scalar(const char *name, const T original)
    {
        if (!was_converted) return;
        for (scalar_entry &s : scalars) {
            if (strcmp(s.name, name) != 0) continue;
            memcpy(s.original, &original, sizeof original);
            const stretch one{name, nullptr, sizeof(T), s.t, {}, 0, 1, 0, 1, nullptr, 0};
            compare_elements(one, s.original, s.converted);
        }
    }

    // Ends the call.
    void close()
    {
        if (stand_in::is_copy()) {
            if (was_converted) stand_in::end_copy();
            return;
        }
        settle();
        aside.dismiss();
        release();
        if (ends_with_call) exit(0);
        if (was_converted) leave_behind();
        pthread_mutex_unlock(&whose_turn);
    }

private:
    // Pointers that lead to rows.
    struct table {
        const char *name;
        list<long> dims;
        size_t n_pointers;
        rows live;
        bool stays;
        char *copied = nullptr;

        bool is_beside(const table &other) const
        {
            return live.table == other.live.table && n_pointers == other.n_pointers && dims.size() == other.dims.size();
        }
        // Which row it is, among as many as there are pointers of each level.
        size_t row_of(const stretch &a, const list<long> &wider) const
        {
            long at = a.row, row = 0, times = 1;
            for (size_t k = dims.size(); k-- > 0; at /= dims[k]) {
                if (k >= n_pointers) continue;
                row += at % dims[k] * times;
                times *= wider[k];
            }
            return row;
        }
    };
    struct scalar_entry {
        const char *name;
        type t;
        char original[16], converted[16];
    };
    struct reason {
        text why;
        long calls;
    };
    static constexpr size_t shown = 5;      // differences of an array that are listed

    explicit check(const place &at) : at(at) {}

    const place at;
    long calls = 0;
    bool was_converted = false, compares_zeros = true;
    list<reason> not_converted;
    list<stretch> arrays;
    list<table> tables;
    list<scalar_entry> scalars;
    list<char *> copies;
    list<computed> results_of_call;
    stand_in aside;
    double original_began = 0;
    list<comparison> results;
    inline static list<check *> all;

    static check *find(const place &at)
    {
        for (check *c : all)
            if (c->at == at) return c;
        return nullptr;
    }
    stretch &entry(const char *name)
    {
        for (stretch &a : arrays)
            if (strcmp(a.name, name) == 0) return a;
        fprintf(stderr, "rtcuda: check of region %s: no array %s\n", at.region, name);
        end_failed();
    }
    comparison &result(const char *name)
    {
        for (comparison &r : results)
            if (r.name == name) return r;
        results.push_back({name, 0, 0, 0, 0, 0, 0, {}, {}});
        return results.back();
    }
    void release()
    {
        for (char *copy : copies) free(copy);
        copies.clear();
        copies_of_program.clear();
    }

    // Whether the pointer to a row leads to what the pointer to its copy leads to the copy of: rows may change places.
    bool leads_alike(const stretch &a) const
    {
        if (stand_in::is_copy() || !a.copied_pointer || (*a.pointer == a.host && *a.copied_pointer == a.copy)) return true;
        for (const stretch &b : arrays)
            if (strcmp(a.name, b.name) == 0 && *a.copied_pointer == b.copy) return *a.pointer == b.host;
        return false;
    }

    table *find_table(const char *name)
    {
        for (table &t : tables)
            if (strcmp(t.name, name) == 0) return &t;
        return nullptr;
    }

    char *new_copy(const char *name, const size_t bytes)
    {
        char *const copy = (char *)malloc(bytes + 1);
        if (!copy) no_memory(name, bytes);
        copies.push_back(copy);
        return copy;
    }
    [[noreturn]] void no_memory(const char *name, const size_t bytes) const
    {
        fprintf(stderr, "rtcuda: check of region %s: no memory to copy %s of array %s\n", at.region,
                bytes_text((double)bytes).c_str(), name);
        end_failed();
    }

    // Pointers to the copies of an array's rows: the same for all arrays that have the same on the host.
    char *table_of(table &t)
    {
        list<long> dims = t.dims;
        for (const table &other : tables) {
            if (!other.is_beside(t)) continue;
            if (other.copied) return t.copied = other.copied;
            for (size_t k = 0; k < dims.size(); k++)
                if (other.dims[k] > dims[k]) dims[k] = other.dims[k];
        }
        char **before = nullptr, *level = nullptr;
        for (size_t k = 0, n = 1; k < t.n_pointers; k++) {
            const size_t extent = dims[k] > 0 ? dims[k] : 0;
            level = new_copy(t.name, n * extent * t.live.stride);
            if (k == 0) t.copied = level;
            for (size_t i = 0; before && i < n; i++) before[i] = level + i * extent * t.live.stride;
            before = (char **)level;
            n *= extent;
        }
        for (stretch &a : arrays) {
            const table *const own = find_table(a.name);
            if (!own || !own->is_beside(t)) continue;
            a.copied_pointer = (char **)(level + own->row_of(a, dims) * t.live.stride);
            *(char **)a.copied_pointer = a.copy;
        }
        return t.copied;
    }

    void copy_arrays()
    {
        for (stretch &a : arrays) {
            if (a.copy) continue;
            // The union of all ranges that overlap this one, directly or through others, or lie behind the same pointer.
            const char *begin = a.begin(), *end = a.end();
            const auto meets = [&](const stretch &b) {
                return (b.begin() < end && begin < b.end()) || (a.pointer && b.pointer == a.pointer);
            };
            for (bool grown = true; grown;) {
                grown = false;
                for (const stretch &b : arrays) {
                    if (!meets(b) || (b.begin() >= begin && b.end() <= end)) continue;
                    if (b.begin() < begin) begin = b.begin();
                    if (b.end() > end) end = b.end();
                    grown = true;
                }
            }
            char *const copy = new_copy(a.name, end - begin);
            if (begin < end) memcpy(copy, begin, end - begin);
            a.copy = copy + (a.host - begin);
            for (stretch &b : arrays)
                if (meets(b)) b.copy = copy + (b.host - begin);
        }
    }

    void count_not_converted()
    {
        for (reason &r : not_converted) {
            if (!(r.why == not_converted_reason)) continue;
            r.calls++;
            return;
        }
        not_converted.push_back({not_converted_reason, 1});
    }

    // What the region would leave on the device: nobody may touch it on the host, until it is said to come home.
    void leave_behind()
    {
        for (const stretch &a : arrays) {
            if (!a.stays) continue;
            const span touched{a.begin(), a.end()}, written{a.host + a.live_first * (long)a.element_bytes,
                                                            a.host + a.live_last * (long)a.element_bytes};
            host_uses(touched, true);
            if (touched.is_some()) add_stay(new block_left_behind(*this, a.name, touched, written, a.element_bytes));
        }
        for (const table &t : tables) {
            if (!t.stays) continue;
            for (const row &r : t.live) host_uses(bytes_of(r, t.live.element_bytes), true);
            add_stay(new rows_left_behind(*this, t.name, t.live));
        }
        drop_stays();
    }
    static span bytes_of(const row &r, const size_t element_bytes)
    {
        return {r.host + r.first() * (long)element_bytes, r.host + r.last() * (long)element_bytes};
    }
    void is_changed(const char *name, const long n) override
    {
        result(name).changed_outside += n;
        end_with(exit_differs);
        fprintf(stderr,
                "rtcuda: region %s (%s:%d): %s is changed on the host while it stays on the device\n  help: this is a fault of "
                "rtcuda: please report it with the C file; stay-on-device = false in the configuration goes without\n",
                at.region, at.file, at.line, name);
    }

    // Before the original runs, the user's array still holds what the copy was made from. What one array only reads may be
    // what another writes.
    void compare_outside(const stretch &a)
    {
        long changed = 0;
        const stretch *other = nullptr;
        for (long i = a.first; i < a.last; i++) {
            if (i == a.live_first && a.live_first < a.live_last) i = a.live_last;
            if (i >= a.last) break;
            long offset = i * (long)a.element_bytes;
            if (memcmp(a.host + offset, a.copy + offset, a.element_bytes) == 0) continue;
            while (a.host[offset] == a.copy[offset]) offset++; // elements of another size may begin within this one
            if (!other || !other->writes(a.host + offset)) other = writer(a.host + offset);
            if (other) continue;
            if (changed++ == 0)
                differs(a.name, a.position(i), "is changed, but is not among what the region writes");
        }
        result(a.name).changed_outside += changed;
    }
    const stretch *writer(const char *const at) const
    {
        for (const stretch &a : arrays)
            if (a.writes(at)) return &a;
        return nullptr;
    }

    void differs(const char *name, const text &where, const text &how)
    {
        end_with(exit_differs);
        fprintf(stderr, "rtcuda: region %s (%s:%d), call %ld: %s%s %s\n", at.region, at.file, at.line, calls, name,
                where.c_str(), how.c_str());
    }

    void compare_elements(const stretch &of, const char *original, const char *converted)
    {
        const long bytes = of.live() * (long)of.element_bytes;
        if (bytes <= 0) return;
        if (stand_in::is_copy()) return aside.tell(original + of.live_first * (long)of.element_bytes, bytes);
        results_of_call.push_back({of, original, converted, compares_zeros});
        computed &c = results_of_call.back();
        comparison &r = result(of.name);
        r.elements += of.n_compared();
        if (c.is_same()) return;
        c.floor = small_against(of.t) * magnitude(of, original);
        for (long i = of.live_first; i < of.live_last; i++) {
            if (!of.is_compared(i)) continue;
            if (!c.agrees(i))
                c.apart.push_back(i);
            else
                note_worst(r, c, i);
        }
        c.shifts.assign(c.apart.size(), 0);
        c.turns.assign(c.apart.size(), false);
    }
    static void note_worst(comparison &r, const computed &c, const long i)
    {
        const double abs = c.apart_by(i), rel = abs == 0 ? 0 : abs < HUGE_VAL ? abs / c.scale(i) : HUGE_VAL;
        if (!(rel <= r.worst_rel)) r.worst_rel = rel, r.worst_abs = abs, r.worst_at = c.of.position(i);
    }

    // After all is compared: of what is further apart than the tolerance, some may be so by rounding alone.
    void settle()
    {
        bool is_apart = false;
        for (const computed &c : results_of_call) is_apart |= !c.apart.empty();
        if (is_apart && aside.ask(seconds_now() - original_began)) hear_shifts();
        for (computed *first = results_of_call.begin(), *last = first; first != results_of_call.end(); first = last) {
            while (last != results_of_call.end() && strcmp(last->of.name, first->of.name) == 0) last++;
            judge(result(first->of.name), first, last);
        }
        results_of_call.clear();
    }
    void hear_shifts()
    {
        const auto heard = [&](computed &c, const int mode) {
            const size_t bytes = c.of.live() * c.of.element_bytes;
            char *const shifted = (char *)malloc(bytes);
            const bool is_there = shifted && aside.hear(shifted, bytes);
            if (is_there) c.note_shifts(shifted, mode == FE_DOWNWARD);
            free(shifted);
            return is_there;
        };
        for (const int mode : stand_in::modes)
            for (computed &c : results_of_call)
                if (!heard(c, mode)) return;
    }

    // An element that other rounding moves as far is apart by rounding. What is left of large values may happen to round
    // to the same in every mode: a few such are, too, if other rounding moves as many elements, and no less far. They are
    // those that are nothing beside the largest, or any where other rounding moves most elements. What is divided by
    // the remains of a sum has no bound: of those that other rounding moves, a very few are moved further.
    void judge(comparison &r, const computed *const first, const computed *const last)
    {
        long n = 0, n_apart = 0, n_beyond = 0, n_shifted = 0;
        double most = 0;
        for (const computed *c = first; c < last; c++) {
            n += c->of.n_compared();
            n_shifted += c->n_shifted;
            most = fmax(most, c->most_shifted);
            n_apart += (long)c->apart.size();
            for (size_t k = 0; k < c->apart.size(); k++) n_beyond += !c->is_rounding(k);
        }
        const bool are_few = n_beyond <= rt_ceildiv(n, few) && n_beyond <= n_shifted;
        const bool are_very_few = tail * n_beyond <= n_apart;
        const bool most_move = 2 * n_shifted > (long)stand_in::modes.size() * n;
        for (const computed *c = first; c < last; c++) {
            for (size_t k = 0; k < c->apart.size(); k++) {
                const bool may_happen = (are_few && (most_move || c->is_rest(k))) || (are_very_few && c->is_moved(k));
                const bool is_no_further = c->apart_by(c->apart[k]) <= most;
                if (c->is_rounding(k) || (may_happen && is_no_further))
                    r.rounding++;
                else
                    differ(r, *c, c->apart[k]);
            }
        }
    }
    void differ(comparison &r, const computed &c, const long i)
    {
        note_worst(r, c, i);
        r.differing++;
        if (r.first.size() == shown) return;
        const text x = text_at(c.of.t, c.x(i)), y = text_at(c.of.t, c.y(i)), where = c.of.position(i);
        differs(c.of.name, where, format("is %s in the original, %s converted", x.c_str(), y.c_str()));
        r.first.push_back(format("{\"call\":%ld,\"index\":%s,\"original\":%s,\"converted\":%s}", calls,
                                 quoted(where).c_str(), quoted(x).c_str(), quoted(y).c_str()));
    }

    // What a difference is measured against where the value itself is small: the largest of the array.
    double magnitude(const stretch &of, const char *original)
    {
        double most = of.largest(original);
        if (!find_table(of.name)) return most;
        for (const stretch &row : arrays)
            if (strcmp(row.name, of.name) == 0) most = fmax(most, row.largest(row.host));
        return most;
    }

    text json() const
    {
        list<text> reasons, rows;
        for (const reason &n : not_converted)
            reasons.push_back(format("{\"reason\":%s,\"calls\":%ld}", quoted(n.why).c_str(), n.calls));
        for (const comparison &r : results) rows.push_back(r.json());
        return format("{\"region\":%s,\"file\":%s,\"line\":%d,\"calls\":%ld,\"not_converted\":[%s],\"arrays\":[%s]}",
                      quoted(at.region).c_str(), quoted(at.file).c_str(), at.line, calls, joined(reasons).c_str(),
                      joined(rows).c_str());
    }

    // What the lines printed at the time leave out.
    void summarise() const
    {
        for (const comparison &r : results) {
            if (r.rounding > 0)
                fprintf(stderr,
                        "rtcuda: region %s (%s:%d): %s: %ld of %ld elements differ by rounding: another rounding mode "
                        "changes the original as much\n",
                        at.region, at.file, at.line, r.name.c_str(), r.rounding, r.elements);
            if (r.differing <= (long)shown) continue;
            fprintf(
                stderr,
                "rtcuda: region %s (%s:%d): %s differs in %ld of %ld elements, most at %s by %.3g (relative %.3g)\n",
                at.region, at.file, at.line, r.name.c_str(), r.differing, r.elements, r.worst_at.c_str(), r.worst_abs,
                r.worst_rel);
        }
    }

    static void write_report()
    {
        for (const check *c : all) c->summarise();
        const char *path = env("RTCUDA_REPORT");
        if (!path) return;
        list<text> rows;
        for (const check *c : all) rows.push_back(c->json());
        const text head = format("{\"device\":%s,\"has_failed\":%s,\"regions\":[\n", quoted(device_name()).c_str(),
                                 exit_status == exit_failed ? "true" : "false");
        write_file(path, head + joined(rows, ",\n") + "\n]}\n");
    }
};

} // namespace rt
