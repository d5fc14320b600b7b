/* Assertions as C libraries spell them, and statement expressions: statements. */
extern void __assert_fail(const char *what, const char *file, unsigned line, const char *function);
#define gnu_assert(x) \
    ((void)sizeof((x) ? 1 : 0), __extension__({ \
         if (x) \
             ; \
         else \
             __assert_fail(#x, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__); \
     }))
#define c99_assert(x) ((x) ? (void)(0) : __assert_fail(#x, __FILE__, __LINE__, __func__))
#define musl_assert(x) ((void)((x) || (__assert_fail(#x, __FILE__, __LINE__, __func__), 0)))

void of_each_kind(int n, double eps, const double *p) {
    gnu_assert(n > 0);
    c99_assert(n > 0 && p && "a message");
    musl_assert(!(eps < 0));
    gnu_assert(eps >= 0 || n == 3);
    gnu_assert(1);
    if (n > 4)
        c99_assert(n < 9);
    else
        n = 4;
    for (int i = 0; i < n; i++) musl_assert(i >= 0);
}

void swapped(double *a, double *b) {
    ({ double t = *a; *a = *b; *b = t; });
    (void)({ *a += 1; });
    double c = ({ *a; });
    *b = c;
}
