// Operators and functions of complex numbers beside what the compiler makes of C's: products and quotients to the bit,
// for numbers that are no number, infinite, tiny and huge, too; functions within four units of rounding.
#include <rt_runtime.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>

static unsigned long long state = 88172645463325252ull;

static unsigned drawn()
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return unsigned(state >> 33);
}

static double number()
{
    static const double odd[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, DBL_MAX, -DBL_MAX, DBL_MIN, 5e-324, 1e300, -1e-300, 1e160, 1e-160, 0.5};
    const double within = drawn() / double(1u << 31) - 0.5;
    switch (drawn() % 3) {
    case 0: return odd[drawn() % 16];
    case 1: return within * 4;
    default: return ldexp(within, int(drawn() % 2100) - 1070);
    }
}

template <class T> static bool is_same(const T a, const T b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static bool is_near(const double a, const double b)
{
    return is_same(a, b) || a == b || (std::isfinite(a) && fabs(a - b) <= 4 * fmax(DBL_EPSILON * fabs(a), 5e-324));
}

#define OF_TWO(T)                                                                                                         \
    static bool T##_is_same(const double x, const double y, const double u, const double v)                               \
    {                                                                                                                     \
        const T a = T(x), b = T(y), c = T(u), d = T(v);                                                                   \
        _Complex T left, right;                                                                                           \
        __real__ left = a, __imag__ left = b, __real__ right = c, __imag__ right = d;                                     \
        const _Complex T product = left * right, quotient = left / right;                                                 \
        return is_same<T>(__real__ product, rt_mul_re(a, b, c, d)) && is_same<T>(__imag__ product, rt_mul_im(a, b, c, d)) && \
               is_same<T>(__real__ quotient, rt_div_re(a, b, c, d)) && is_same<T>(__imag__ quotient, rt_div_im(a, b, c, d)); \
    }
OF_TWO(double)
OF_TWO(float)

#define OF_PAIR(NAME)                                                                                         \
    static bool NAME##_is_near(const double x, const double y)                                                \
    {                                                                                                         \
        _Complex double z;                                                                                    \
        __real__ z = x, __imag__ z = y;                                                                       \
        const _Complex double expected = __builtin_##NAME(z);                                                 \
        return is_near(__real__ expected, rt_##NAME##_re(x, y)) && is_near(__imag__ expected, rt_##NAME##_im(x, y)); \
    }
OF_PAIR(csqrt)
OF_PAIR(cexp)
OF_PAIR(clog)

int main()
{
    const char *names[] = {"doubles", "floats", "csqrt", "cexp", "clog"};
    long n_wrong[5] = {};
    for (long k = 0; k < 200000; k++) {
        const double a = number(), b = number(), c = number(), d = number();
        const bool right[] = {double_is_same(a, b, c, d), float_is_same(a, b, c, d), csqrt_is_near(a, b), cexp_is_near(a, b), clog_is_near(a, b)};
        for (int f = 0; f < 5; f++)
            if (!right[f] && n_wrong[f]++ == 0)
                printf("%s of %.17g %.17g %.17g %.17g\n", names[f], a, b, c, d);
    }
    for (int f = 0; f < 5; f++)
        printf("%s: %ld wrong\n", names[f], n_wrong[f]);
    return 0;
}
