// Arrays as simulated kernels see them: parameters (rt_in, rt_out, rt_inout) and tiles (RT_SHARED) whose every
// element access is checked: bounds, initialisation, races.
#pragma once

#include <type_traits>

#include "rt_math.h"
#include "rt_sim_sectors.h"
#include "rt_sim_threads.h"

// A subscript, and where it stands in the .cu file: the conversion from an integer happens at the access. It is inlined
// in kernels that are not optimised, too: called, it would take up to a third of their time.
struct rt_index {
    long at;
    rt_where where;
    template <class I>
    [[gnu::always_inline]] constexpr rt_index(const I i, const rt_where w = rt_where::here()) : at((long)i), where(w)
    {
    }
};

// An element that may be read, written or updated. Nothing is checked before one of these happens.
template <class T> class rt_ref {
public:
    RT_FAST rt_ref(T *data, rt_sim::shared_array *array, const long extent, const rt_index i,
                   const rt_sim::promise promised)
        : data(data), array(array), extent(extent), index(i.at), where(i.where), promised(promised)
    {
    }
    rt_ref(const rt_ref &) = default;
    // `c ? x[i] : 0` would convert x[i] to int, which C does not: with this the compiler refuses it. Cast x[i].
    template <class V>
        requires(std::is_arithmetic_v<V> && !std::is_same_v<rt_common<T, V>, V>)
    rt_ref(V) = delete;

    RT_FAST operator T() const
    {
        RT_SIM_TOUCHES(*array, index * (long)sizeof(T), sizeof(T), rt_sim::does::loads, where.line);
        if (outside("reads")) return T(0);
        const rt_sim::cell &c = array->cells[index];
        const bool is_known = promised.keeps != rt_sim::kept::all && rt_sim::is_mine(c.write);
        if (!is_known && !rt_sim::is_mine(c.read)) rt_sim::note_read(*array, index, where, promised);
        return data[index];
    }
    RT_FAST const rt_ref &operator=(const T value) const
    {
        RT_SIM_TOUCHES(*array, index * (long)sizeof(T), sizeof(T), rt_sim::does::stores, where.line);
        if (outside("writes")) return *this;
        if (!rt_sim::is_mine(array->cells[index].write)) rt_sim::note_write(*array, index, where, promised);
        data[index] = value;
        return *this;
    }
    RT_FAST const rt_ref &operator=(const rt_ref &other) const { return *this = (T)other; }

    // clang-format off
#define RT_COMPOUND(op)                                                                                                \
    template <class V> RT_FAST const rt_ref &operator op##=(const V &value) const                                      \
    {                                                                                                                  \
        return *this = (T)((T)(*this) op (rt_value<V>)value);                                                          \
    }
    RT_COMPOUND(+) RT_COMPOUND(-) RT_COMPOUND(*) RT_COMPOUND(/) RT_COMPOUND(%)
    RT_COMPOUND(&) RT_COMPOUND(|) RT_COMPOUND(^) RT_COMPOUND(<<) RT_COMPOUND(>>)
#undef RT_COMPOUND
        // clang-format on

        // Changes it in one step, and tells what it is then.
        template <class F>
        RT_FAST T exchange(const F &change) const
    {
        RT_SIM_TOUCHES(*array, index * (long)sizeof(T), sizeof(T), rt_sim::does::updates, where.line);
        if (outside("updates atomically")) return T(0);
        rt_sim::note_atomic(*array, index, where, promised);
        change(data[index]);
        return data[index];
    }
    // A vector that begins here, whose elements are no accesses of their own.
    void touches(const long bytes, const rt_sim::does what) const
    {
        RT_SIM_TOUCHES(*array, index * (long)sizeof(T), bytes, what, where.line);
    }
    bool is_aligned(const int bytes) const { return (unsigned long)(data + index) % bytes == 0; }
    void check_aligned(const int bytes, const char *verb) const
    {
        const bool is_inside = (unsigned long)index < (unsigned long)extent; // outside, each element says so
        if (is_inside && !is_aligned(bytes)) rt_sim::add_misaligned(*array, index, bytes, verb, where);
    }
    // The value is there when the thread has waited for it.
    void begin_copy(const T value) const
    {
        static_assert(sizeof value <= 8, "elements have up to 8 bytes");
        if (outside("copies to")) return;
        rt_sim::copied_element e{array, index, data + index, {}, sizeof value, where, 0};
        memcpy(e.value, &value, sizeof value);
        rt_sim::run->threads[rt_sim::now.thread].copies.begin(e);
    }
    // Its value; where nothing has been written, what spoils all that is made of it: all bits, for numbers with a point a NaN.
    T or_nothing() const
    {
        const bool is_inside = (unsigned long)index < (unsigned long)extent;
        const bool is_there =
            array->uninitialised == 0 || !is_inside || array->cells[index].write != 0 || array->cells[index].atomic != 0;
        if (is_there) return *this;
        T nothing;
        memset(&nothing, 0xff, sizeof nothing);
        return nothing;
    }
    // On a GPU, who takes it would wait for ever.
    void is_missing() const { rt_sim::add_uninitialised(*array, index, "takes", where); }

private:
    T *data;
    rt_sim::shared_array *array;
    long extent, index;
    rt_where where;
    rt_sim::promise promised;

    RT_FAST bool outside(const char *verb) const
    {
        if ((unsigned long)index < (unsigned long)extent) [[likely]]
            return false;
        rt_sim::add_out_of_bounds(array->name, index, extent, verb, where);
        return true;
    }
};

template <class T> struct rt_value_of<rt_ref<T>> {
    using type = T;
};

// C's mathematical functions on elements: overloads are chosen by the element's type, as for a plain variable.
// clang-format off
#define RT_MATH_1(f) template <class T> auto f(const rt_ref<T> &x) { return f((T)x); }
#define RT_MATH_2(f)                                                                                                   \
    template <class T, class V> auto f(const rt_ref<T> &x, const V &y) { return f((T)x, (rt_value<V>)y); }             \
    template <class V, class T> requires std::is_arithmetic_v<V> auto f(const V &x, const rt_ref<T> &y) { return f(x, (T)y); }
RT_MATH_1(fabs) RT_MATH_1(sqrt) RT_MATH_1(cbrt) RT_MATH_1(exp) RT_MATH_1(exp2) RT_MATH_1(expm1) RT_MATH_1(log)
RT_MATH_1(log2) RT_MATH_1(log10) RT_MATH_1(log1p) RT_MATH_1(sin) RT_MATH_1(cos) RT_MATH_1(tan) RT_MATH_1(asin)
RT_MATH_1(acos) RT_MATH_1(atan) RT_MATH_1(sinh) RT_MATH_1(cosh) RT_MATH_1(tanh) RT_MATH_1(asinh) RT_MATH_1(acosh)
RT_MATH_1(atanh) RT_MATH_1(floor) RT_MATH_1(ceil) RT_MATH_1(round) RT_MATH_1(trunc) RT_MATH_1(rint)
RT_MATH_1(nearbyint) RT_MATH_1(erf) RT_MATH_1(erfc) RT_MATH_1(tgamma) RT_MATH_1(lgamma)
RT_MATH_2(fmin) RT_MATH_2(fmax) RT_MATH_2(pow) RT_MATH_2(fmod) RT_MATH_2(atan2) RT_MATH_2(hypot) RT_MATH_2(copysign)
RT_MATH_2(fdim) RT_MATH_2(remainder) RT_MATH_2(nextafter)
#undef RT_MATH_1
#undef RT_MATH_2
    // clang-format on

    // An array that the launch writes.
    template <class T, rt_sim::kept keeps>
    class rt_written {
public:
    using element = T;
    static constexpr bool writes = true;
    rt_written(T *data, rt_sim::shared_array *array) : data(data), array(array), extent(array->extent) {}
    // What a device function takes of an array that the kernel exchanges: the promise holds from there on.
    template <rt_sim::kept others>
        requires(others == rt_sim::kept::nothing && keeps != others)
    rt_written(const rt_written<T, others> &a)
        : data(a.data), array(a.array), extent(a.extent), since(rt_sim::current_interval())
    {
    }
    RT_FAST rt_ref<T> operator[](const rt_index i) const { return {data, array, extent, i, {keeps, since}}; }

private:
    T *data;
    rt_sim::shared_array *array;
    long extent;
    rt_sim::tag since = 0;
    template <class, rt_sim::kept> friend class rt_written;
    template <class> friend class rt_in;
};
template <class T> using rt_out = rt_written<T, rt_sim::kept::own>;
template <class T> using rt_inout = rt_written<T, rt_sim::kept::own>;
template <class T> using rt_exchanged = rt_written<T, rt_sim::kept::nothing>;

// An array that the launch, or a device function, only reads. Where the launch does not write it nobody can race on it,
// and where all of it is initialised its bounds are all that is left to check.
template <class T> class rt_in {
public:
    using element = T;
    static constexpr bool writes = false;
    rt_in(T *data, rt_sim::shared_array *array)
        : data(data), array(array), extent(array->extent),
          unchanging(array->written_in != rt_sim::now.launch && array->uninitialised == 0)
    {
    }
    rt_in(const rt_exchanged<T> &a) : rt_in(a.data, a.array) { since = rt_sim::current_interval(); }
    RT_FAST T operator[](const rt_index i) const
    {
        if ((unsigned long)i.at < (unsigned long)extent && unchanging) [[likely]] {
            RT_SIM_TOUCHES(*array, i.at * (long)sizeof(T), sizeof(T), rt_sim::does::loads, i.where.line);
            return data[i.at];
        }
        return as_ref(i);
    }
    RT_FAST rt_ref<T> as_ref(const rt_index i) const { return {data, array, extent, i, {rt_sim::kept::all, since}}; }

private:
    T *data;
    rt_sim::shared_array *array;
    long extent;
    bool unchanging;
    rt_sim::tag since = 0;
};

namespace rt_sim {

// Storage of a block's tile. Blocks that run one after another share it.
template <class T> struct tile_storage {
    shared_array array;
    T *data;
    tile_storage(const char *name, const rt::list<long> &dims) : array{name, 1, nullptr, 0, true, 0, dims}
    {
        for (const long d : dims) array.extent *= d;
        data = new T[array.extent]();
        array.cells = new cell[array.extent]();
    }
};

// A tile that the code declares: storage for as many blocks as were resident at once, kept to the end of the program.
template <class T> class tile {
public:
    tile(const char *name, const rt::list<long> &dims) : name(name), dims(dims) {}
    tile_storage<T> &of_block()
    {
        while (blocks.size() <= run->number) blocks.push_back(new tile_storage<T>(name, dims));
        return *blocks[run->number];
    }

private:
    const char *name;
    rt::list<long> dims;
    rt::list<tile_storage<T> *> blocks;
};

inline void require_shared(const char *tile, const long bytes, const rt_where at = rt_where::here())
{
    if (bytes > now.launch_shared) add_out_of_bounds(tile, bytes - 1, now.launch_shared, "declares", at);
}

template <class T> struct extents_of {
    using element = T;
    static void add(rt::list<long> &) {}
};
template <class T, size_t N> struct extents_of<T[N]> {
    using element = typename extents_of<T>::element;
    static void add(rt::list<long> &dims)
    {
        dims.push_back(N);
        extents_of<T>::add(dims);
    }
    static rt::list<long> all()
    {
        rt::list<long> dims;
        add(dims);
        return dims;
    }
};

} // namespace rt_sim

// A tile, or a row of it: T is its C type, such as double[32][33].
template <class T> class rt_tile;
template <class T, size_t N> class rt_tile<T[N]> {
    using element = typename rt_sim::extents_of<T>::element;

public:
    rt_tile(rt_sim::tile_storage<element> &s) : data(s.data), array(&s.array), row(0), inside(true) {}
    rt_tile(element *data, rt_sim::shared_array *array, const long row, const bool inside)
        : data(data), array(array), row(row), inside(inside)
    {
    }
    RT_FAST auto operator[](const rt_index i) const
    {
        if constexpr (std::is_array_v<T>) {
            const bool fits = (unsigned long)i.at < N;
            if (!fits && inside) rt_sim::add_out_of_bounds(array->name, i.at, N, "uses", i.where);
            return rt_tile<T>(data, array, row * (long)N + i.at, inside && fits);
        } else {
            // Outside the row is outside the tile, even where the next row would lie.
            const bool fits = inside && (unsigned long)i.at < N;
            constexpr rt_sim::promise none = {rt_sim::kept::nothing, 0};
            if (fits) return rt_ref<T>(data, array, array->extent, {row * (long)N + i.at, i.where}, none);
            return rt_ref<T>(data, array, inside ? (long)N : 0, {i.at, i.where}, none);
        }
    }

private:
    element *data;
    rt_sim::shared_array *array;
    long row;
    bool inside;
};

#define RT_SHARED(T, name, extents)                                                                                    \
    static rt_sim::tile<T> name##_storage(#name, rt_sim::extents_of<T extents>::all());                                \
    const rt_tile<T extents> name(name##_storage.of_block())

// Tiles one behind another, in memory that the launch asks for.
#define RT_SHARED_FIRST(T, name, extents) RT_SHARED_AT(T, name, extents, 0)
#define RT_SHARED_BEHIND(T, name, extents, before) RT_SHARED_AT(T, name, extents, before##_end)
#define RT_SHARED_AT(T, name, extents, at)                                                                             \
    constexpr long name##_end = at + (sizeof(T extents) + 15) / 16 * 16;                                               \
    rt_sim::require_shared(#name, name##_end);                                                                         \
    RT_SHARED(T, name, extents)

// An array of one thread that stays on chip while a resident kernel runs: `slots` elements.
template <class T, int> class rt_on_chip {
    const char *name;
    mutable rt::list<T> items;

public:
    rt_on_chip(const char *name, const long slots) : name(name)
    {
        T nothing;
        memset(&nothing, 0xFB, sizeof nothing);
        items.assign(slots + 1, nothing);
    }
    T &operator[](const rt_index slot) const
    {
        const long last = (long)items.size() - 1; // the spare one
        const bool fits = (unsigned long)slot.at < (unsigned long)last;
        if (!fits) rt_sim::add_out_of_bounds(name, slot.at, last, "uses", slot.where);
        return items[fits ? slot.at : last];
    }
};
#define RT_ON_CHIP(T, name, threads, slots, before) const rt_on_chip<T, threads> name(#name, slots)

// The same of rows of a sparse matrix, the first `kept` of the thread's, each with room for `longest` entries.
template <class T, int THREADS> class rt_rows_on_chip {
    const rt_on_chip<T, THREADS> items;
    const char *name;
    const long kept, longest;

public:
    struct row {
        const rt_rows_on_chip &of;
        const long slot;
        T &operator[](const rt_index entry) const
        {
            const bool fits = 0 <= slot && slot < of.kept && 0 <= entry.at && entry.at < of.longest;
            if (!fits) rt_sim::add_out_of_bounds(of.name, entry.at, of.longest, "uses", entry.where);
            return of.items[rt_index{fits ? slot * of.longest + entry.at : of.kept * of.longest, entry.where}];
        }
    };
    rt_rows_on_chip(const char *name, const long kept, const long longest)
        : items(name, kept * longest + 1), name(name), kept(kept), longest(longest)
    {
    }
    row operator[](const rt_index slot) const { return {*this, slot.at}; }
};
#define RT_ROWS_ON_CHIP(T, name, threads, slots, before, kept, longest, before_rows)                                   \
    const rt_rows_on_chip<T, threads> name(#name, kept, longest)

// An array of one thread, of C type T such as int[9]: nobody else sees it, so its bounds are all there is to check.
// What lies outside is the spare element: 0 where it is read, and lost where it is written.
template <class T, class Name> class rt_local;
template <class T, size_t N, class Name> class rt_local<T[N], Name> {
    using item = std::conditional_t<std::is_array_v<T>, rt_local<T, Name>, T>;
    item items[N + 1];

public:
    RT_FAST item &operator[](const rt_index i)
    {
        if ((unsigned long)i.at < N) [[likely]]
            return items[i.at];
        rt_sim::add_out_of_bounds(Name::text(), i.at, N, "uses", i.where);
        return items[N] = item();
    }
};

#define RT_LOCAL(T, name, extents)                                                                                     \
    struct rt_name_of_##name {                                                                                         \
        static const char *text() { return #name; }                                                                    \
    };                                                                                                                 \
    rt_local<T extents, rt_name_of_##name> name
