// Check mode: the converted version of a region runs on copies, the original on the user's arrays, and what is live
// afterwards is compared. Text to stderr; JSON to $RTCUDA_REPORT; exit status 1 where anything differs.
#pragma once

#include <float.h>
#include <initializer_list>

#include "rt_host.h"

namespace rt {

enum class type { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

template <class T> constexpr type type_of()
{
    if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? type::f32 : type::f64;
    const int size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
    return (type)(size + (std::is_signed_v<T> ? 0 : 1));
}

// What was found for an array (or a scalar), over all calls of its region.
struct comparison {
    text name;
    long elements, differing, changed_outside;
    double worst_abs, worst_rel;
    text worst_at;
    list<text> first; // differences, as JSON

    text json() const
    {
        return format(
            "{\"name\":%s,\"elements\":%ld,\"differing\":%ld,\"changed_outside\":%ld,\"worst_abs\":%s,\"worst_rel\":%s,"
            "\"worst_at\":%s,\"first\":[%s]}",
            quoted(name).c_str(), elements, differing, changed_outside, number(worst_abs).c_str(),
            number(worst_rel).c_str(), quoted(worst_at).c_str(), joined(first).c_str());
    }
};

class check {
public:
    // Begins a call of a region: before the arrays are named.
    static check &open(const char *region, const char *file, const int line)
    {
        pthread_mutex_lock(&whose_turn); // until the call is closed
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
    // Whether this call runs the original alone, because RTCUDA_CHECK_FOR seconds have gone since the first one.
    static bool is_late()
    {
        static const char *const most = env("RTCUDA_CHECK_FOR");
        static const double begin = seconds_now();
        if (!most || seconds_now() - begin < atof(most)) return false;
        not_converted_reason = format("it came later than %s s after the first one", most);
        return true;
    }
    // The same call, after the original loops.
    static check &open_again(const char *region, const char *file, const int line)
    {
        return *find({region, file, line});
    }

    // An array of the region: `dims` outermost first, the elements that it may touch, and those that are compared.
    void array(const char *name, const void *host, const size_t element_bytes, const type t,
               std::initializer_list<long> dims, const range &touched, const range &live)
    {
        const long last = touched.is_some() ? touched.last : touched.first;
        arrays.push_back({name, (const char *)host, element_bytes, t, dims, touched.first, last, live.first, live.last,
                          nullptr, 0});
    }

    // The same, for an array whose rows are behind pointers: each is an entry of its own.
    void array(const char *name, const size_t element_bytes, const type t, std::initializer_list<long> dims,
               const rows &live)
    {
        for (const row &r : live) {
            arrays.push_back({name, r.host, element_bytes, t, dims, r.first(), r.last(), r.out_first, r.out_last,
                              nullptr, r.position});
        }
        tables.push_back({name, dims, live.n_pointers});
    }

    // The copy of an array, addressed as the original is. Arrays that overlap have copies that overlap.
    char *operator[](const char *name)
    {
        if (copies.empty()) copy_arrays();
        for (const table &t : tables)
            if (strcmp(t.name, name) == 0) return table_of(t);
        return entry(name).copy;
    }

    // Where something lies among the copies: a scalar in an array that was copied is there, others are where they were.
    const void *moved(const void *host)
    {
        if (copies.empty()) copy_arrays();
        for (const array_entry &a : arrays)
            if ((const char *)host >= a.begin() && (const char *)host < a.end()) return a.copy + ((const char *)host - a.host);
        return host;
    }

    // What the entry point returned when it ran on the copies.
    void converted(const int status)
    {
        was_converted = status != 0;
        if (!was_converted) return count_not_converted();
        for (const array_entry &a : arrays) compare_outside(a);
    }

    // A scalar that the region writes: its value after the converted version.
    template <class T> void scalar(const char *name, const T value)
    {
        scalars.push_back({name, {}});
        memcpy(scalars.back().bytes, &value, sizeof value);
    }

    // Compares what the original left with what the converted version did.
    void compare(const char *name, const void *host)
    {
        if (!was_converted) return;
        if (!is_table(name)) {
            const array_entry &a = entry(name);
            return compare_elements(result(name), a, (const char *)host, a.copy);
        }
        comparison &r = result(name);
        for (const array_entry &a : arrays)
            if (strcmp(a.name, name) == 0) compare_elements(r, a, a.host, a.copy);
    }
    template <class T> void compare_scalar(const char *name, const T original)
    {
        if (!was_converted) return;
        for (const scalar_entry &s : scalars) {
            if (strcmp(s.name, name) != 0) continue;
            const array_entry one{name, nullptr, sizeof(T), type_of<T>(), {}, 0, 1, 0, 1, nullptr, 0};
            compare_elements(result(name), one, (const char *)&original, s.bytes);
        }
    }

    // Ends the call.
    void close()
    {
        release();
        pthread_mutex_unlock(&whose_turn);
    }

private:
    struct array_entry {
        const char *name, *host;
        size_t element_bytes;
        type t;
        list<long> dims;
        long first, last, live_first, live_last;
        char *copy;
        long row; // the position of its first element in the array that it is a row of
        const char *begin() const { return host + first * (long)element_bytes; }
        const char *end() const { return host + last * (long)element_bytes; }
    };
    // Pointers that lead to rows.
    struct table {
        const char *name;
        list<long> dims;
        size_t n_pointers;
    };
    struct scalar_entry {
        const char *name;
        char bytes[16];
    };
    struct reason {
        text why;
        long calls;
    };
    static constexpr size_t shown = 5;      // differences of an array that are listed
    static constexpr double roundings = 16; // of the magnitude, in units of its last bit, that always pass

    explicit check(const place &at) : at(at) {}

    const place at;
    long calls = 0;
    bool was_converted = false;
    list<reason> not_converted;
    list<array_entry> arrays;
    list<table> tables;
    list<scalar_entry> scalars;
    list<char *> copies;
    list<comparison> results;
    inline static list<check *> all;

    static check *find(const place &at)
    {
        for (check *c : all)
            if (c->at == at) return c;
        return nullptr;
    }
    array_entry &entry(const char *name)
    {
        for (array_entry &a : arrays)
            if (strcmp(a.name, name) == 0) return a;
        fprintf(stderr, "rtcuda: check of region %s: no array %s\n", at.region, name);
        end_failed();
    }
    comparison &result(const char *name)
    {
        for (comparison &r : results)
            if (r.name == name) return r;
        results.push_back({name, 0, 0, 0, 0, 0, {}, {}});
        return results.back();
    }
    void release()
    {
        for (char *copy : copies) free(copy);
        copies.clear();
    }

    bool is_table(const char *name) const
    {
        for (const table &t : tables)
            if (strcmp(t.name, name) == 0) return true;
        return false;
    }

    char *new_copy(const char *name, const size_t bytes)
    {
        char *const copy = (char *)malloc(bytes + 1);
        if (!copy) {
            fprintf(stderr, "rtcuda: check of region %s: no memory to copy %s of array %s\n", at.region,
                    bytes_text((double)bytes).c_str(), name);
            end_failed();
        }
        copies.push_back(copy);
        return copy;
    }

    // Pointers to the copies of an array's rows.
    char *table_of(const table &t)
    {
        char *first = nullptr, **before = nullptr, **level = nullptr;
        size_t n = 1, row = 1;
        for (size_t k = 0; k < t.dims.size(); k++) {
            const size_t extent = t.dims[k] > 0 ? t.dims[k] : 0;
            if (k >= t.n_pointers) {
                row *= extent;
                continue;
            }
            level = (char **)new_copy(t.name, n * extent * sizeof(char *));
            if (k == 0) first = (char *)level;
            for (size_t i = 0; before && i < n; i++) before[i] = (char *)(level + i * extent);
            before = level;
            n *= extent;
        }
        for (const array_entry &a : arrays)
            if (strcmp(a.name, t.name) == 0) level[a.row / (long)row] = a.copy;
        return first;
    }

    void copy_arrays()
    {
        for (array_entry &a : arrays) {
            if (a.copy) continue;
            // The union of all ranges that overlap this one, directly or through others.
            const char *begin = a.begin(), *end = a.end();
            const auto meets = [&](const array_entry &b) { return b.begin() < end && begin < b.end(); };
            for (bool grown = true; grown;) {
                grown = false;
                for (const array_entry &b : arrays) {
                    if (!meets(b) || (b.begin() >= begin && b.end() <= end)) continue;
                    if (b.begin() < begin) begin = b.begin();
                    if (b.end() > end) end = b.end();
                    grown = true;
                }
            }
            char *const copy = new_copy(a.name, end - begin);
            if (begin < end) memcpy(copy, begin, end - begin);
            a.copy = copy + (a.host - begin);
            for (array_entry &b : arrays)
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

    // Before the original runs, the user's array still holds what the copy was made from.
    void compare_outside(const array_entry &a)
    {
        long changed = 0;
        for (long i = a.first; i < a.last; i++) {
            if (i == a.live_first && a.live_first < a.live_last) i = a.live_last;
            if (i >= a.last) break;
            const long offset = i * (long)a.element_bytes;
            if (memcmp(a.host + offset, a.copy + offset, a.element_bytes) == 0) continue;
            if (changed++ == 0)
                differs(a.name, position(a, i), "is changed, but is not among what the region writes");
        }
        result(a.name).changed_outside += changed;
    }

    static text position(const array_entry &a, long i)
    {
        const list<long> &dims = a.dims;
        text subscripts;
        i += a.row;
        for (size_t d = dims.size(); d-- > 0;) {
            const long extent = d == 0 || dims[d] <= 0 ? i + 1 : dims[d];
            subscripts = format("[%ld]", i % extent) + subscripts;
            i /= extent;
        }
        return subscripts;
    }

    void differs(const char *name, const text &where, const text &how)
    {
        end_with(exit_differs);
        fprintf(stderr, "rtcuda: region %s (%s:%d), call %ld: %s%s %s\n", at.region, at.file, at.line, calls, name,
                where.c_str(), how.c_str());
    }

    // Integers agree exactly. Floating values agree if their bits do, if both are no numbers, or within the relative
    // tolerance of their type, which for values near zero is measured against what `small_against` says.
    void compare_elements(comparison &r, const array_entry &a, const char *original, const char *converted)
    {
        const long size = (long)a.element_bytes, n = a.live_last - a.live_first;
        if (n <= 0) return;
        r.elements += n;
        if (memcmp(original + a.live_first * size, converted + a.live_first * size, n * size) == 0) return;
        const double rtol = tolerance(a.t), floor = rtol > 0 ? small_against(a.t, rtol) * magnitude(a, original) : 0;
        for (long i = a.live_first; i < a.live_last; i++) {
            const char *const x = original + i * size, *const y = converted + i * size;
            if (memcmp(x, y, size) == 0) continue;
            const double vx = value_at(a.t, x), vy = value_at(a.t, y), abs = fabs(vx - vy);
            if (is_float(a.t) && (vx == vy || (vx != vx && vy != vy))) continue;
            const double scale = fmax(floor, fmax(fabs(vx), fabs(vy))), rel = abs < HUGE_VAL ? abs / scale : HUGE_VAL;
            if (!(rel <= r.worst_rel)) r.worst_rel = rel, r.worst_abs = abs, r.worst_at = position(a, i);
            if (is_float(a.t) && scale < HUGE_VAL && abs <= rtol * scale) continue;
            r.differing++;
            if (r.first.size() == shown) continue;
            const text tx = text_at(a.t, x), ty = text_at(a.t, y), where = position(a, i);
            differs(a.name, where, format("is %s in the original, %s converted", tx.c_str(), ty.c_str()));
            r.first.push_back(format("{\"call\":%ld,\"index\":%s,\"original\":%s,\"converted\":%s}", calls,
                                     quoted(where).c_str(), quoted(tx).c_str(), quoted(ty).c_str()));
        }
    }

    static bool is_float(const type t) { return t >= type::f32; }

    template <class T> static T load(const char *element)
    {
        T value;
        memcpy(&value, element, sizeof value);
        return value;
    }
    static long integer_at(const type t, const char *element)
    {
        switch (t) {
        case type::i8:
            return load<signed char>(element);
        case type::u8:
            return load<unsigned char>(element);
        case type::i16:
            return load<short>(element);
        case type::u16:
            return load<unsigned short>(element);
        case type::i32:
            return load<int>(element);
        case type::u32:
            return load<unsigned>(element);
        default:
            return load<long>(element);
        }
    }
    static double value_at(const type t, const char *element)
    {
        if (t == type::f64) return load<double>(element);
        if (t == type::f32) return load<float>(element);
        return t == type::u64 ? (double)load<unsigned long>(element) : (double)integer_at(t, element);
    }
    static text text_at(const type t, const char *element)
    {
        if (is_float(t)) return format("%.*g", t == type::f32 ? 9 : 17, value_at(t, element));
        return format(t == type::u64 ? "%lu" : "%ld", integer_at(t, element));
    }

    // The largest finite magnitude among elements [first, last).
    static double largest(const array_entry &a, const char *elements, const long first, const long last)
    {
        double most = 0;
        for (long i = first; i < last; i++) {
            const double m = fabs(value_at(a.t, elements + i * (long)a.element_bytes));
            if (m > most && m < HUGE_VAL) most = m;
        }
        return most;
    }

    // What a difference is measured against where the value itself is small: the largest of the array; for a single
    // number, which may be a difference of large ones (a residual), the largest of all the region's arrays too.
    double magnitude(const array_entry &a, const char *original) const
    {
        double most = largest(a, original, a.live_first, a.live_last);
        if (is_table(a.name)) {
            for (const array_entry &row : arrays)
                if (strcmp(row.name, a.name) == 0) most = fmax(most, largest(row, row.host, row.live_first, row.live_last));
            return most;
        }
        if (a.live_last - a.live_first > 1) return most;
        for (const array_entry &other : arrays)
            if (is_float(other.t)) most = fmax(most, largest(other, other.copy, other.first, other.last));
        return most;
    }

    // The share of the magnitude below which values count as this large: an element near zero is often what is left of
    // a sum of large ones, so a thousandth, and at least so much that a few roundings of the largest values pass. For
    // `float` the thousandth alone would ask for less than the last bit of a large value: nobody who fuses a multiply
    // with an add could agree.
    static double small_against(const type t, const double rtol)
    {
        const double epsilon = t == type::f32 ? (double)FLT_EPSILON : DBL_EPSILON;
        return fmax(1e-3, roundings * epsilon / rtol);
    }

    static double tolerance(const type t)
    {
        if (!is_float(t)) return 0;
        const char *set = env("RTCUDA_RTOL");
        return set ? atof(set) : t == type::f32 ? 1e-4 : 1e-9;
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
