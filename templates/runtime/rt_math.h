// Arithmetic that C lacks and generated code needs, the same on host, GPU and simulation.
#pragma once

#include <math.h>
#include <string.h>

#include <type_traits>

#ifdef RT_SIM
#define RT_BOTH inline
#else
#define RT_BOTH __host__ __device__ inline
#endif

// The value behind an operand: simulated array elements are proxies, which say what they stand for.
template <class T> struct rt_value_of {
    using type = T;
};
template <class T> using rt_value = typename rt_value_of<T>::type;
template <class A, class B> using rt_common = decltype(true ? rt_value<A>() : rt_value<B>());

template <class A, class B> RT_BOTH rt_common<A, B> rt_min(const A a, const B b)
{
    const rt_common<A, B> x = a, y = b;
    return y < x ? y : x;
}

template <class A, class B> RT_BOTH rt_common<A, B> rt_max(const A a, const B b)
{
    const rt_common<A, B> x = a, y = b;
    return x < y ? y : x;
}

// What hardly ever holds: code under it stands apart.
RT_BOTH int rt_rare(const int holds)
{
    return __builtin_expect(holds != 0, 0);
}

// Of which kind a number is, as C says it: 1 where it is so, and -1 for minus infinity.
template <class T> RT_BOTH int rt_isnan(const T a)
{
    const rt_value<T> x = a;
    return x != x;
}
template <class T> RT_BOTH int rt_isinf(const T a)
{
    const rt_value<T> x = a;
    return (x == INFINITY) - (x == -INFINITY);
}
template <class T> RT_BOTH int rt_isfinite(const T a)
{
    return !rt_isnan(a) && !rt_isinf(a);
}
template <class T> RT_BOTH int rt_signbit(const T a)
{
    const rt_value<T> x = a;
    return copysign(1.0, (double)x) < 0;
}

// Ones in a number, zeros before its first one, and behind its last: as GCC's builtins have them, of 0 whatever the processor has.
RT_BOTH int rt_popcount(const unsigned long long x)
{
#ifdef __CUDA_ARCH__
    return __popcll(x);
#else
    return __builtin_popcountll(x);
#endif
}
RT_BOTH int rt_clz(const unsigned long long x)
{
#ifdef __CUDA_ARCH__
    return __clzll(x);
#else
    return __builtin_clzll(x);
#endif
}
RT_BOTH int rt_clz_32(const unsigned x)
{
    return rt_clz(x) - 32;
}
RT_BOTH int rt_ctz(const unsigned long long x)
{
#ifdef __CUDA_ARCH__
    return __ffsll(x) - 1;
#else
    return __builtin_ctzll(x);
#endif
}

// Whether a quotient that is not whole lies below 0: never, of unsigned operands.
template <class T> RT_BOTH bool rt_is_below_zero(const T n, const T d)
{
    if constexpr (std::is_signed_v<T>)
        return (n < 0) != (d < 0);
    else
        return false;
}

// Division towards minus infinity, towards plus infinity, and the remainder of the first: for a positive divisor,
// never negative.
template <class A, class B> RT_BOTH rt_common<A, B> rt_floordiv(const A a, const B b)
{
    const rt_common<A, B> n = a, d = b, q = n / d;
    return q * d != n && rt_is_below_zero(n, d) ? q - 1 : q;
}

template <class A, class B> RT_BOTH rt_common<A, B> rt_ceildiv(const A a, const B b)
{
    const rt_common<A, B> n = a, d = b, q = n / d;
    return q * d != n && !rt_is_below_zero(n, d) ? q + 1 : q;
}

template <class A, class B> RT_BOTH rt_common<A, B> rt_mod(const A a, const B b)
{
    return rt_common<A, B>(a) - rt_floordiv(a, b) * rt_common<A, B>(b);
}

// The unsigned word of the same size.
template <class T> using rt_word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;

// What one block leaves for another is a word that holds a number, or nothing: a NaN that no number is left as.
template <class T> RT_BOTH constexpr rt_word<T> rt_nothing()
{
    return ~(rt_word<T>)0;
}
template <class T> RT_BOTH rt_word<T> rt_message(const T number)
{
    rt_word<T> word;
    memcpy(&word, &number, sizeof word);
    return word == rt_nothing<T>() ? word - 1 : word; // another NaN
}
template <class T> RT_BOTH T rt_number(const rt_word<T> message)
{
    T number;
    memcpy(&number, &message, sizeof number);
    return number;
}

// Sizes of a grid or a block, as the hardware counts them. 64 bits: a size that is too large is still seen.
struct rt_size3 {
    long x, y, z;
    bool empty() const { return x <= 0 || y <= 0 || z <= 0; }
    long count() const { return x * y * z; }
};

// Outermost first, as everywhere in rtcuda: the last is x.
inline rt_size3 rt_dims(const long x)
{
    return {x, 1, 1};
}
inline rt_size3 rt_dims(const long y, const long x)
{
    return {x, y, 1};
}
inline rt_size3 rt_dims(const long z, const long y, const long x)
{
    return {x, y, z};
}

// ---- Operators of reductions: what joins two values, and the value that changes nothing.

template <class T> RT_BOTH T rt_highest()
{
    if constexpr (std::is_floating_point_v<T>)
        return (T)HUGE_VAL;
    else if constexpr (std::is_signed_v<T>)
        return (T)(((T(1) << (8 * sizeof(T) - 2)) - 1) * 2 + 1);
    else
        return (T)-1;
}
template <class T> RT_BOTH T rt_lowest()
{
    if constexpr (std::is_floating_point_v<T>)
        return (T)-HUGE_VAL;
    else if constexpr (std::is_signed_v<T>)
        return (T)(-rt_highest<T>() - 1);
    else
        return 0;
}

// 0 would make 0 of a sum of nothing but -0.
struct rt_add {
    template <class T> RT_BOTH static T join(const T a, const T b) { return (T)(a + b); }
    template <class T> RT_BOTH static T identity()
    {
        if constexpr (std::is_floating_point_v<T>)
            return (T)-0.0;
        else
            return 0;
    }
};
struct rt_mul {
    template <class T> RT_BOTH static T join(const T a, const T b) { return (T)(a * b); }
    template <class T> RT_BOTH static T identity() { return 1; }
};
// The least and the greatest come out as in C's order, whatever the order of joining, also among values that are not
// numbers: `join(a, b)` takes b where C would, comparing `b < a`. A NaN is then never taken, and partial results start
// from an infinity, so that none of them is one. The value from before is the first operand of the last join: where it
// is a NaN, it stays. 0 and -0 compare equal: of values that are joined in any order, only one of them may be there.
struct rt_min_op {
    template <class T> RT_BOTH static T join(const T a, const T b) { return b < a ? b : a; }
    template <class T> RT_BOTH static T identity() { return rt_highest<T>(); }
};
struct rt_max_op {
    template <class T> RT_BOTH static T join(const T a, const T b) { return a < b ? b : a; }
    template <class T> RT_BOTH static T identity() { return rt_lowest<T>(); }
};
// The same where C takes an equal value, comparing `b <= a`: of 0 and -0 the last one.
struct rt_min_last_op {
    template <class T> RT_BOTH static T join(const T a, const T b) { return b <= a ? b : a; }
    template <class T> RT_BOTH static T identity() { return rt_highest<T>(); }
};
struct rt_max_last_op {
    template <class T> RT_BOTH static T join(const T a, const T b) { return b >= a ? b : a; }
    template <class T> RT_BOTH static T identity() { return rt_lowest<T>(); }
};
// C's fmin and fmax give the number of a number and a NaN, in any order: to them a NaN is what changes nothing.
struct rt_fmin_op {
    template <class T> RT_BOTH static T join(const T a, const T b) { return (T)fmin(a, b); }
    template <class T> RT_BOTH static T identity() { return (T)NAN; }
};
struct rt_fmax_op {
    template <class T> RT_BOTH static T join(const T a, const T b) { return (T)fmax(a, b); }
    template <class T> RT_BOTH static T identity() { return (T)NAN; }
};
struct rt_and {
    template <class T> RT_BOTH static T join(const T a, const T b) { return (T)(a & b); }
    template <class T> RT_BOTH static T identity() { return (T)~T(0); }
};
struct rt_or {
    template <class T> RT_BOTH static T join(const T a, const T b) { return (T)(a | b); }
    template <class T> RT_BOTH static T identity() { return 0; }
};
struct rt_xor {
    template <class T> RT_BOTH static T join(const T a, const T b) { return (T)(a ^ b); }
    template <class T> RT_BOTH static T identity() { return 0; }
};
