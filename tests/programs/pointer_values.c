// What pointers to functions lead to: short numbers, conversions, structures, loops, effects, recursion.
#include <stdio.h>
#define N 1500
typedef unsigned char u8;
static u8 inc(u8 x) { return x + 200; }
static u8 inv(u8 x) { return ~x; }
static float third(float x) { return x / 3; }
static float root(float x) { return x * 1.1f; }
static int idiv(int a, long b) { return a / (int)b; }
static int imod(int a, long b) { return a % (int)b; }
struct pair { double a, b; };
static struct pair turn(struct pair p) { struct pair q = {p.b, -p.a}; return q; }
static struct pair keep(struct pair p) { return p; }
static void scale(double *x, int n) { for (int i = 0; i < n; i++) x[i] *= 1.5; }
static void shift(double *x, int n) { for (int i = 0; i < n - 1; i++) x[i] = x[i + 1]; }
static int calls;
static double counted(double *x) { calls++; return *x += 1; }
static double plain(double *x) { return *x - 1; }
static int rec(int n) { return n < 2 ? 1 : n + rec(n - 1); }
static int dbl(int n) { return 2 * n; }

void g1(int n, u8 *a, int *b, u8 (*f)(u8)) {
    for (int i = 0; i < n; i++) b[i] = f(a[i] + 300) + f(i) * 2;
}
void g2(int n, double *y, float (*f)(float)) {
    for (int i = 0; i < n; i++) y[i] = f(y[i]) + f(i);
}
void g3(int n, int *b, int (*f)(int, long)) {
    for (int i = 0; i < n; i++) b[i] = f(b[i] * 3, i % 7 + 1);
}
void g4(int n, struct pair *p, struct pair (*f)(struct pair)) {
    for (int i = 0; i < n; i++) p[i] = f(p[i]);
}
void g4b(int n, struct pair *p, double *y, struct pair (*f)(struct pair)) {
    for (int i = 0; i < n; i++) { struct pair q = f(p[i]); y[i] = q.a + 2 * q.b; }
}
void g5(int n, double *y, int steps, void (*step)(double *, int)) {
    for (int t = 0; t < steps; t++) step(y, n);
}
void g6(int n, double *y, double *z, double (*f)(double *)) {
    for (int i = 0; i < n; i++) z[i] = f(&y[i]) * 2 + (i % 3 ? f(&y[i]) : 0);  // decline: iterations depend on each other through `calls`
}
void g7(int n, int *b, int (*f)(int)) {
    for (int i = 0; i < n; i++) b[i] = f(i % 9);
}
/* effects of arguments */
void g8(int n, int *b, int (*f)(int, long)) {
    int k = 0;
    for (int i = 0; i < n; i++) b[i] = f(k++, 5) + k;  // decline: an assignment inside an expression
}
/* in conditions and bounds */
void g9(int n, double *y, float (*f)(float)) {
    for (int i = 0; i < n; i++) if (y[i] > 1 && f(y[i]) > 1) y[i] = 0; else y[i] = y[i] > 0.5 ? f(y[i]) : 7;
}
void g10(int n, int *b, int (*f)(int)) {
    for (int i = 0; i < f(n); i++) b[i % n] += 1;
}
static int best(int n, const int *b, int (*less)(int, long)) {
    int at = 0;
    for (int i = 1; i < n; i++) if (less(b[i], 3) > less(b[at], 3)) at = i;  // decline: iterations depend on each other through `at`
    return at;
}
static double sum(const double *y) { double s = 0; for (int i = 0; i < N; i++) s += y[i]; return s; }
static long isum(const int *y) { long s = 0; for (int i = 0; i < N; i++) s += y[i] * (i % 5 + 1); return s; }
int main(void) {
    static u8 a[N]; static int b[N]; static double y[N], z[N]; static struct pair p[N];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < N; i++) { a[i] = i * 7; b[i] = i; y[i] = 0.01 * (i % 300); p[i].a = i; p[i].b = 1; }
        g1(N, a, b, k ? inc : inv); printf("1 %ld\n", isum(b));
        g2(N, y, k ? third : root); printf("2 %.9g\n", sum(y));
        g3(N, b, k ? idiv : imod); printf("3 %ld\n", isum(b));
        g4(N, p, k ? turn : keep); g4b(N, p, y, k ? keep : turn); printf("4 %.9g\n", sum(y));
        g5(N, y, 3, k ? scale : shift); printf("5 %.9g\n", sum(y));
        g6(N, y, z, k ? counted : plain); printf("6 %.9g %.9g %d\n", sum(y), sum(z), calls);
        g7(N, b, k ? rec : dbl); printf("7 %ld\n", isum(b));
        g8(N, b, k ? idiv : imod); printf("8 %ld\n", isum(b));
        for (int i = 0; i < N; i++) y[i] = 0.01 * (i % 300);
        g9(N, y, k ? third : root); printf("9 %.9g\n", sum(y));
        g10(N, b, dbl); printf("10 %ld\n", isum(b));
        printf("11 %d\n", best(N, b, k ? idiv : imod));
    }
    return 0;
}
