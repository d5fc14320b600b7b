// Arrays of which no more is on the device than the block behind the pointer holds, in simulated kernels (see rt_outside.h):
// an access that leads out of it is no finding.
#pragma once

#include "rt_sim_access.h"

namespace rt_sim {

inline bool is_outside = false;

// Stands for an array where what is written is lost.
inline shared_array *elsewhere()
{
    static cell unknown;
    static shared_array array{"nothing", 1, &unknown, 0, false, 0, {}};
    unknown = {};
    return &array;
}

} // namespace rt_sim

inline bool rt_goes_on(unsigned &) { return !rt_sim::is_outside; }

template <class A> class rt_held : public A {
public:
    using A::A;
    static constexpr bool is_held = true;
    rt_held(typename A::element *data, rt_sim::shared_array *array) : A(data, array), extent(array->extent) {}
    template <class B> rt_held(const rt_held<B> &other) : A(other), extent(other.extent) {}

    RT_FAST auto operator[](const rt_index i) const
    {
        using element = decltype(A::operator[](i));
        if ((unsigned long)i.at < (unsigned long)extent) return A::operator[](i);
        rt_sim::is_outside = true;
        if constexpr (A::writes)
            return element(nowhere, rt_sim::elsewhere(), 1, {0, i.where}, {});
        else
            return element(0);
    }

    long extent;

private:
    inline static typename A::element nowhere[1];
};
template <class T> using rt_held_in = rt_held<rt_in<T>>;
template <class T> using rt_held_out = rt_held<rt_out<T>>;
template <class T> using rt_held_inout = rt_held<rt_inout<T>>;
template <class T> using rt_held_exchanged = rt_held<rt_exchanged<T>>;

namespace rt {

// Test that some access of the region's kernels was held back.
inline bool was_outside(const place &)
{
    const bool was = rt_sim::is_outside;
    rt_sim::is_outside = false;
    return was;
}

} // namespace rt
