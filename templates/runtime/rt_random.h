// States of linear congruential generators many steps on: s becomes (a * s + c) mod m at each step, an affine function after any
// number of them, by repeated squaring (F. B. Brown, Trans. Am. Nucl. Soc. 71, 1994). What a state holds that no step leaves, a
// negative one, or one that is not whole, steps as the C code does until it is one.
#pragma once

#include "rt_math.h"

typedef unsigned long long rt_bits;

// m is at most 2^32, and a, c and s are less.
RT_BOTH rt_bits rt_lcg_ahead(rt_bits s, rt_bits n, rt_bits a, rt_bits c, const rt_bits m)
{
    rt_bits factor = 1, sum = 0;
    for (; n; n >>= 1) {
        if (n & 1) {
            factor = factor * a % m;
            sum = (sum * a + c) % m;
        }
        c = (a * c + c) % m;
        a = a * a % m;
    }
    return (factor * s + sum) % m;
}

// (a * s + c) % m
RT_BOTH long long rt_lcg(long long s, long long n, const long long a, const long long c, const long long m)
{
    for (; n > 0 && (s < 0 || s >= m); n--) {
        if (c == 0 && s < 0 && s > -m)
            return -(long long)rt_lcg_ahead(-s, n, a, c, m);
        s = (a * s + c) % m;
    }
    return n > 0 ? (long long)rt_lcg_ahead(s, n, a, c, m) : s;
}

// a * s mod m by quotients q = m / a and rests r = m % a
RT_BOTH long long rt_lcg_schrage(long long s, long long n, const long long a, const long long m)
{
    const long long q = m / a, r = m % a;
    for (; n > 0 && (s < 0 || s >= m); n--) {
        s = a * (s % q) - r * (s / q);
        s += s < 0 ? m : 0;
    }
    return n > 0 ? (long long)rt_lcg_ahead(s, n, a, 0, m) : s;
}

// (a * s + c) & mask
RT_BOTH long long rt_lcg_bits(const long long s, long long n, const long long multiplier, const long long increment, const long long mask)
{
    if (n <= 0)
        return s;
    rt_bits a = multiplier, c = increment, factor = 1, sum = 0;
    for (; n; n >>= 1) {
        if (n & 1) {
            factor *= a;
            sum = sum * a + c;
        }
        c = a * c + c;
        a *= a;
    }
    return (long long)((factor * (rt_bits)s + sum) & (rt_bits)mask);
}

// (s + step) & mask: a sum as long as no bit is missing in the mask
RT_BOTH long long rt_ring_mask(long long s, long long n, const long long step, const long long mask)
{
    if (n > 0 && (mask & ((rt_bits)mask + 1)) == 0)
        return (long long)(((rt_bits)s + (rt_bits)n * (rt_bits)step) & (rt_bits)mask);
    for (; n > 0; n--)
        s = (s + step) & mask;
    return s;
}

// (s + step) % size
RT_BOTH long long rt_ring(long long s, long long n, const long long step, const long long size)
{
    const long long most = 1ll << 31;
    if (n > 0 && s >= 0 && s < most && step >= 0 && step < most && size > 0 && size < most)
        return (s + n % size * (step % size)) % size;
    for (; n > 0; n--)
        s = (s + step) % size;
    return s;
}

// fmod(a * s + c, m)
RT_BOTH double rt_lcg_real(double s, long long n, const long long a, const long long c, const long long m)
{
    for (; n > 0 && !(s >= 0 && s < m && s == floor(s)); n--)
        s = fmod(a * s + c, (double)m);
    return n > 0 ? (double)rt_lcg_ahead((rt_bits)s, n, a, c, m) : s;
}
