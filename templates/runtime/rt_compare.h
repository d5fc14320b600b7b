// What is compared of two versions of a region: elements, and whether they agree.
#pragma once

#include <float.h>
#include <math.h>

#include <type_traits>

#include "rt_base.h"

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
    long elements, differing, rounding, changed_outside;
    double worst_abs, worst_rel;
    text worst_at;
    list<text> first; // differences, as JSON

    text json() const
    {
        return format(
            "{\"name\":%s,\"elements\":%ld,\"differing\":%ld,\"rounding\":%ld,\"changed_outside\":%ld,"
            "\"worst_abs\":%s,\"worst_rel\":%s,\"worst_at\":%s,\"first\":[%s]}",
            quoted(name).c_str(), elements, differing, rounding, changed_outside, number(worst_abs).c_str(),
            number(worst_rel).c_str(), quoted(worst_at).c_str(), joined(first).c_str());
    }
};

inline bool is_float(const type t) { return t >= type::f32; }

template <class T> inline T load(const char *element)
{
    T value;
    memcpy(&value, element, sizeof value);
    return value;
}
inline long integer_at(const type t, const char *element)
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
inline double value_at(const type t, const char *element)
{
    if (t == type::f64) return load<double>(element);
    if (t == type::f32) return load<float>(element);
    return t == type::u64 ? (double)load<unsigned long>(element) : (double)integer_at(t, element);
}
// Whether they are 0 and -0: rounding alone makes neither of the other.
inline bool are_opposite_zeros(const type t, const char *a, const char *b)
{
    if (!is_float(t)) return false;
    const double x = value_at(t, a), y = value_at(t, b);
    return x == 0 && y == 0 && signbit(x) != signbit(y);
}
inline text text_at(const type t, const char *element)
{
    if (is_float(t)) return format("%.*g", t == type::f32 ? 9 : 17, value_at(t, element));
    return format(t == type::u64 ? "%lu" : "%ld", integer_at(t, element));
}

constexpr double roundings = 16; // of the magnitude, in units of its last bit, that always pass
constexpr double slack = 16;     // times what other rounding does to a floating value is still rounding
constexpr long few = 16;         // one element of so many may happen to round to the same
constexpr long tail = 64;        // one of so many that rounding moves may be moved further by another order

inline double tolerance(const type t)
{
    if (!is_float(t)) return 0;
    const char *set = env("RTCUDA_RTOL");
    return set ? atof(set) : t == type::f32 ? 1e-4 : 1e-9;
}

// The share of the magnitude below which values count as this large: an element near zero is often what is left of
// a sum of large ones, so a thousandth, and at least so much that a few roundings of the largest values pass. For
// `float` the thousandth alone would ask for less than the last bit of a large value: nobody who fuses a multiply
// with an add could agree. Where values must agree exactly, there is none.
inline double small_against(const type t)
{
    const double rtol = tolerance(t), epsilon = t == type::f32 ? (double)FLT_EPSILON : DBL_EPSILON;
    return rtol > 0 ? fmax(1e-3, roundings * epsilon / rtol) : 0;
}

// An array of a region, or a row of one: the elements [first, last) that the region may touch, those of them that are
// compared, and their copy.
struct stretch {
    const char *name, *host;
    size_t element_bytes;
    type t;
    list<long> dims;
    long first, last, live_first, live_last;
    char *copy;
    long row; // the position of its first element in the array that it is a row of
    const char *const *pointer = nullptr; // what leads to it, where it is a row behind one,
    char *const *copied_pointer = nullptr; // and what leads to its copy
    bool stays = false; // on the device, behind the region
    list<char> own = {}; // of the members of a structure, those that are compared; none: all

    const char *begin() const { return host + first * (long)element_bytes; }
    const char *end() const { return host + last * (long)element_bytes; }
    long live() const { return live_last - live_first; }
    bool writes(const char *const at) const
    {
        return at >= host + live_first * (long)element_bytes && at < host + live_last * (long)element_bytes;
    }

    bool is_compared(const long i) const { return own.empty() || own[i % (long)own.size()]; }
    long n_compared() const
    {
        if (own.empty()) return live();
        long n = 0;
        for (long i = live_first; i < live_last; i++) n += is_compared(i);
        return n;
    }

    text position(long i) const
    {
        text subscripts;
        i += row;
        for (size_t d = dims.size(); d-- > 0;) {
            const long extent = d == 0 || dims[d] <= 0 ? i + 1 : dims[d];
            subscripts = format("[%ld]", i % extent) + subscripts;
            i /= extent;
        }
        return subscripts;
    }

    // The largest finite magnitude among those that are compared.
    double largest(const char *at) const
    {
        double most = 0;
        for (long i = live_first; i < live_last; i++) {
            const double m = is_compared(i) ? fabs(value_at(t, at + i * (long)element_bytes)) : 0;
            if (m > most && m < HUGE_VAL) most = m;
        }
        return most;
    }
};

// Elements that both versions computed in a call, and those further apart than the tolerance.
struct computed {
    stretch of;
    const char *original, *converted;
    bool compares_zeros;           // their signs, too
    double rtol = tolerance(of.t); // asked of the environment once, not for each element
    double floor = 0;              // what differences of smaller values are measured against
    list<long> apart = {};
    list<double> shifts = {}; // what other rounding does to each of these, at most
    list<char> turns = {};    // of those that are zeros of other signs: whether it does that, or more
    double most_shifted = 0;  // and to any element
    long n_shifted = 0;       // elements, over all modes, that it moves further than the tolerance

    const char *x(const long i) const { return original + i * (long)of.element_bytes; }
    const char *y(const long i) const { return converted + i * (long)of.element_bytes; }
    bool is_same() const { return memcmp(x(of.live_first), y(of.live_first), of.live() * of.element_bytes) == 0; }
    double scale(const long i) const { return fmax(floor, fmax(fabs(value_at(of.t, x(i))), fabs(value_at(of.t, y(i))))); }
    double apart_by(const long i) const { return distance(x(i), y(i)); }
    bool agrees(const long i) const { return agree(x(i), y(i)) && !is_turned(i); }
    // Whether nothing but the sign of a zero is another.
    bool is_turned(const long i) const { return compares_zeros && are_opposite_zeros(of.t, x(i), y(i)); }

    // Whether the k-th of those apart is so by no more than rounding. One that is no number may be, where rounding leaves
    // the original no digit: in exact arithmetic, or in another order, zero is divided by zero there.
    bool is_rounding(const size_t k) const
    {
        if (is_turned(apart[k])) return turns[k];
        const double most = (is_float(of.t) ? slack : 1) * shifts[k], by = apart_by(apart[k]);
        const double own = fabs(value_at(of.t, x(apart[k])));
        return by < HUGE_VAL ? by <= most : own < HUGE_VAL && shifts[k] > 0 && own <= most;
    }
    // Whether other rounding moves it by more than the tolerance, however far.
    bool is_moved(const size_t k) const { return shifts[k] > rtol * scale(apart[k]); }
    // Whether it is nothing beside the largest values.
    bool is_rest(const size_t k) const { return scale(apart[k]) <= floor; }

    // Takes in the same elements as the original leaves them under another rounding mode. Towards minus infinity what cancels
    // is -0: the sign of a zero says nothing there.
    void note_shifts(const char *shifted, const bool is_downward)
    {
        size_t next = 0;
        for (long i = of.live_first; i < of.live_last; i++, shifted += of.element_bytes) {
            if (!of.is_compared(i)) continue;
            const double found = distance(x(i), shifted), shift = found < HUGE_VAL ? found : 0; // no number says nothing
            n_shifted += shift > 0 && !agree(x(i), shifted);
            most_shifted = fmax(most_shifted, shift);
            if (next < apart.size() && apart[next] == i) {
                shifts[next] = fmax(shifts[next], shift);
                turns[next] |= found > 0 || (!is_downward && are_opposite_zeros(of.t, x(i), shifted));
                next++;
            }
        }
    }

private:
    // Infinite where one of them is no number, or an infinite one.
    double distance(const char *a, const char *b) const
    {
        if (!is_float(of.t)) return fabs((double)((__int128)integer_at(of.t, a) - integer_at(of.t, b)));
        const double va = value_at(of.t, a), vb = value_at(of.t, b), abs = fabs(va - vb);
        if (va == vb || (va != va && vb != vb)) return 0;
        return abs < HUGE_VAL ? abs : HUGE_VAL;
    }

    // Integers agree exactly. Floating values agree if they are equal, if both are no numbers, or within the relative
    // tolerance of their type, which for values near zero is measured against what `small_against` says.
    bool agree(const char *a, const char *b) const
    {
        const double apart = distance(a, b), magnitude = fmax(fabs(value_at(of.t, a)), fabs(value_at(of.t, b)));
        return apart == 0 || (apart < HUGE_VAL && apart <= rtol * fmax(floor, magnitude));
    }
};

} // namespace rt
