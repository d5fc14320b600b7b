/* Loops that count down in their condition: alone, in the head of a for loop, with pointers that walk, of unsigned numbers;
   and ones whose counter is read behind, or set within. */
#include <stddef.h>
#include <stdio.h>
enum { N = 700 };
static double a[N], b[N];

static void alone(int n, double *x) { while (n--) x[n] = n % 7; }
static void positive(int n, double *x) {
    int i = n;
    while (i-- > 0) x[i] += i;
}
static double before(int n, const double *x) {
    double s = 0;
    while (--n >= 0) s += x[n] * (n % 3);
    return s;
}
static void head(int n, double *x) {
    for (int i = n; i--;) x[i] *= 2;
}
static void walking(size_t n, const double *restrict p, double *restrict q) {
    while (n--) *q++ = *p++ + 1;
}
static void unsigned_ones(unsigned n, double *x) {
    while (n-- > 0) {
        if (n % 5 == 0) continue;
        x[n] -= n;
    }
}
static int read_behind(int n, double *x) {
    while (n--) x[n] += 1;
    return n;
}
static void set_within(int n, double *x) {
    while (n--) {
        x[n] -= 3;
        if (n > 10) n--;
    }
}
static double sum(const double *x) {
    double s = 0;
    for (int i = 0; i < N; i++) s += x[i] * (i % 11);
    return s;
}

int main(void) {
    alone(N, a);
    alone(0, a);
    positive(N - 3, a);
    positive(-4, a);
    printf("%.1f %.1f\n", sum(a), before(N, a));
    head(N, a);
    walking(N, a, b);
    walking(0, a, b);
    unsigned_ones(N - 1, b);
    printf("%.1f %.1f %.1f\n", sum(a), sum(b), before(-1, b));
    printf("%d %.1f\n", read_behind(40, b), sum(b));
    set_within(50, b);
    printf("%.1f\n", sum(b));
    return 0;
}
