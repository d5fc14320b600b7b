// Complex numbers by their parts, as C99 has them (C17 annex G) and GCC computes them without -ffast-math. Each function
// gives one part back: what the two parts of a value have in common, compilers see.
#pragma once

#include <float.h>

#include "rt_math.h"

template <class T> struct rt_complex {
    T re, im;
};

// A part of an infinite operand; one of an operand beside it.
template <class T> RT_BOTH T rt_complex_boxed(const T x)
{
    return copysign(rt_isinf(x) ? T(1) : T(0), x);
}
template <class T> RT_BOTH T rt_complex_counted(const T x)
{
    return rt_isnan(x) ? copysign(T(0), x) : x;
}

// A product that came out as no number in both parts: infinite if an operand was, or a part of it (C17 G.5.1, example 1).
template <class T> RT_BOTH rt_complex<T> rt_complex_infinite_product(T a, T b, T c, T d, const rt_complex<T> z)
{
    const bool overflows = rt_isinf(a * c) || rt_isinf(b * d) || rt_isinf(a * d) || rt_isinf(b * c);
    bool is_infinite = false;
    if (rt_isinf(a) || rt_isinf(b)) {
        a = rt_complex_boxed(a), b = rt_complex_boxed(b), c = rt_complex_counted(c), d = rt_complex_counted(d);
        is_infinite = true;
    }
    if (rt_isinf(c) || rt_isinf(d)) {
        c = rt_complex_boxed(c), d = rt_complex_boxed(d), a = rt_complex_counted(a), b = rt_complex_counted(b);
        is_infinite = true;
    }
    if (!is_infinite && !overflows)
        return z;
    if (!is_infinite)
        a = rt_complex_counted(a), b = rt_complex_counted(b), c = rt_complex_counted(c), d = rt_complex_counted(d);
    return {T(INFINITY) * (a * c - b * d), T(INFINITY) * (a * d + b * c)};
}

template <class T> RT_BOTH rt_complex<T> rt_complex_product(const T a, const T b, const T c, const T d)
{
    const rt_complex<T> z = {a * c - b * d, a * d + b * c};
    return rt_isnan(z.re) && rt_isnan(z.im) ? rt_complex_infinite_product(a, b, c, d, z) : z;
}

// A quotient that came out as no number in both parts (C17 G.5.1, example 2).
template <class T> RT_BOTH rt_complex<T> rt_complex_infinite_quotient(T a, T b, T c, T d, const rt_complex<T> z)
{
    T factor;
    if (c == 0 && d == 0 && (!rt_isnan(a) || !rt_isnan(b)))
        return {copysign(T(INFINITY), c) * a, copysign(T(INFINITY), c) * b};
    if ((rt_isinf(a) || rt_isinf(b)) && rt_isfinite(c) && rt_isfinite(d))
        a = rt_complex_boxed(a), b = rt_complex_boxed(b), factor = T(INFINITY);
    else if ((rt_isinf(c) || rt_isinf(d)) && rt_isfinite(a) && rt_isfinite(b))
        c = rt_complex_boxed(c), d = rt_complex_boxed(d), factor = 0;
    else
        return z;
    return {factor * (a * c + b * d), factor * (b * c - a * d)};
}

// Smith's quotient as Baudin and Smith have it, A robust complex division in Scilab (2012): by the larger part of the divisor,
// and in another order where the smaller one is too small beside it.
RT_BOTH rt_complex<double> rt_complex_scaled_quotient(const double a, const double b, const double c, const double d)
{
    if (fabs(c) < fabs(d)) {
        const double r = c / d, divisor = c * r + d;
        if (fabs(r) > DBL_MIN)
            return {(a * r + b) / divisor, (b * r - a) / divisor};
        return {(c * (a / d) + b) / divisor, (c * (b / d) - a) / divisor};
    }
    const double r = d / c, divisor = d * r + c;
    if (fabs(r) > DBL_MIN)
        return {(b * r + a) / divisor, (b - a * r) / divisor};
    return {(d * (b / c) + a) / divisor, (b - d * (a / c)) / divisor};
}

RT_BOTH rt_complex<double> rt_complex_quotient(double a, double b, double c, double d)
{
    // A factor of both operands changes no quotient, and keeps the divisor from running over or under.
    const double big = DBL_MAX / 2, most = big * DBL_EPSILON, up = 1 / DBL_EPSILON;
    double larger = fabs(c) < fabs(d) ? fabs(d) : fabs(c);
    if (larger >= big)
        a *= 0.5, b *= 0.5, c *= 0.5, d *= 0.5, larger *= 0.5;
    const bool has_tiny = (fabs(a) < DBL_MIN && fabs(b) < most) || (fabs(b) < DBL_MIN && fabs(a) < most);
    if (larger < DBL_EPSILON || (has_tiny && larger < most))
        a *= up, b *= up, c *= up, d *= up;
    const rt_complex<double> z = rt_complex_scaled_quotient(a, b, c, d);
    return rt_isnan(z.re) && rt_isnan(z.im) ? rt_complex_infinite_quotient(a, b, c, d, z) : z;
}
// Doubles are wide enough for the squares of floats.
RT_BOTH rt_complex<float> rt_complex_quotient(const float a, const float b, const float c, const float d)
{
    const double x = a, y = b, u = c, v = d, divisor = u * u + v * v;
    const rt_complex<float> z = {float((x * u + y * v) / divisor), float((y * u - x * v) / divisor)};
    return rt_isnan(z.re) && rt_isnan(z.im) ? rt_complex_infinite_quotient(a, b, c, d, z) : z;
}

// The square root of finite numbers by Kahan, Branch cuts for complex elementary functions (1987); others as in C17 G.6.4.2.
RT_BOTH rt_complex<double> rt_csqrt(const double x, const double y)
{
    if (rt_isinf(y))
        return {INFINITY, y};
    if (rt_isinf(x) && !rt_isnan(y))
        return x > 0 ? rt_complex<double>{x, copysign(0.0, y)} : rt_complex<double>{0, copysign(double(INFINITY), y)};
    if (rt_isnan(x) || rt_isinf(x) || rt_isnan(y))
        return !rt_isinf(x) ? rt_complex<double>{NAN, NAN} : x > 0 ? rt_complex<double>{x, y} : rt_complex<double>{y, INFINITY};
    if (x == 0 && y == 0)
        return {0, y};
    // Powers of four: the root is scaled by powers of two.
    const double larger = fmax(fabs(x), fabs(y));
    const int power = larger > DBL_MAX / 4 ? -1 : larger < 4 * DBL_MIN ? 27 : 0;
    const double re = ldexp(x, 2 * power), im = ldexp(y, 2 * power);
    const double far = sqrt(0.5 * (hypot(re, im) + fabs(re))), near = far > 0 ? 0.5 * (fabs(im) / far) : 0;
    const double root = ldexp(re > 0 ? far : near, -power);
    return {root, copysign(ldexp(re > 0 ? near : far, -power), y)};
}

RT_BOTH rt_complex<double> rt_cexp(const double x, const double y)
{
    if (!rt_isfinite(y)) {
        if (rt_isinf(x))
            return x < 0 ? rt_complex<double>{0, copysign(0.0, y)} : rt_complex<double>{x, NAN};
        return {NAN, NAN};
    }
    if (y == 0)
        return {exp(x), y};
    // Half of a large exponent at a time: a small sine keeps the whole from running over.
    const double half = x > 709 && !rt_isinf(x) ? 0.5 * x : 0, size = exp(x - half), more = half > 0 ? exp(half) : 1;
    return {size * cos(y) * more, size * sin(y) * more};
}

// The logarithm of a modulus near one by what its square is beside one, with what squares lose; of others by the modulus of
// a number that is scaled to where it neither runs over nor under.
RT_BOTH rt_complex<double> rt_clog(const double x, const double y)
{
    const double larger = fmax(fabs(x), fabs(y)), smaller = fmin(fabs(x), fabs(y)), angle = atan2(y, x);
    const double p = larger * larger, q = smaller * smaller;
    if (0.5 < p + q && p + q < 3 && x == x && y == y) {
        const double beside = p - 1, lost = fma(larger, larger, -p) + fma(smaller, smaller, -q) + (p - (beside + 1));
        return {0.5 * log1p(beside + q + lost), angle};
    }
    if (rt_isinf(x) || rt_isinf(y))
        return {INFINITY, angle};
    const int power = larger > DBL_MAX / 4 ? -2 : larger < DBL_MIN / DBL_EPSILON ? 104 : 0;
    const double modulus = power == 0 ? hypot(x, y) : hypot(ldexp(x, power), ldexp(y, power));
    return {log(modulus) - power * 0.69314718055994530942, angle};
}

#define RT_OF_PAIR(NAME)                                                            \
    RT_BOTH double rt_##NAME##_re(const double x, const double y)                   \
    {                                                                               \
        return rt_##NAME(x, y).re;                                                  \
    }                                                                               \
    RT_BOTH double rt_##NAME##_im(const double x, const double y)                   \
    {                                                                               \
        return rt_##NAME(x, y).im;                                                  \
    }                                                                               \
    RT_BOTH float rt_##NAME##_re(const float x, const float y)                      \
    {                                                                               \
        return float(rt_##NAME(double(x), double(y)).re);                           \
    }                                                                               \
    RT_BOTH float rt_##NAME##_im(const float x, const float y)                      \
    {                                                                               \
        return float(rt_##NAME(double(x), double(y)).im);                           \
    }
RT_OF_PAIR(csqrt)
RT_OF_PAIR(cexp)
RT_OF_PAIR(clog)
#undef RT_OF_PAIR

#define RT_OF_TWO(NAME, OPERATOR, TYPE)                                             \
    RT_BOTH TYPE rt_##NAME##_re(const TYPE a, const TYPE b, const TYPE c, const TYPE d) \
    {                                                                               \
        return OPERATOR(a, b, c, d).re;                                             \
    }                                                                               \
    RT_BOTH TYPE rt_##NAME##_im(const TYPE a, const TYPE b, const TYPE c, const TYPE d) \
    {                                                                               \
        return OPERATOR(a, b, c, d).im;                                             \
    }
RT_OF_TWO(mul, rt_complex_product, double)
RT_OF_TWO(mul, rt_complex_product, float)
RT_OF_TWO(div, rt_complex_quotient, double)
RT_OF_TWO(div, rt_complex_quotient, float)
#undef RT_OF_TWO
