// Expressions and calls.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 300 };

// declined: C that is not modelled: a block of statements that has a value
static void block_with_value(int n, double *a) {
#ifndef REMEDY
    for (int i = 0; i < n; i++)
        a[i] = ({ double t = i; t * t; });
#else
    for (int i = 0; i < n; i++) {
        double t = i;
        a[i] = t * t;
    }
#endif
}

// declined: an assignment inside an expression
// remedy: give it a statement of its own
static void assigns_within(int n, double *a, const double *b) {
    double t;
    for (int i = 0; i < n; i++) {
#ifndef REMEDY
        a[i] = (t = b[i]) + t;
#else
        t = b[i];
        a[i] = t + t;
#endif
    }
}

// declined: a pointer or aggregate is used as a value here
// remedy: use elements here, a[i]; decide before the loop what depends on the pointer itself
static void asks_for_a_pointer(int n, double *a, const double *b) {
    for (int i = 0; i < n; i++)
#ifndef REMEDY
        a[i] = a < b ? 1 : 2;
#else
        a[i] = b[i] > 0 ? 1 : 2;
#endif
}

// declined: this element is reached in a way that is not modelled
// remedy: write it as a[i] or a[i][j] of one array
static void either(int n, double *a, double *b, const int *k) {
    for (int i = 0; i < n; i++)
#ifndef REMEDY
        (k[i] > 3 ? a : b)[i] = 1;
#else
        if (k[i] > 3) a[i] = 1;
        else b[i] = 1;
#endif
}

typedef struct { double re, im; } pair;
#ifndef REMEDY
static pair power(pair a, int k) {
    if (k < 1) return a;
    pair b = power(a, k - 1);
    b.re += 1;
    return b;
}
#else
static double power(double a, int k) { return k < 1 ? a : a + k; }
#endif

// declined: `power` cannot be called on the device
// remedy: move the call out of the loop, or let the function take numbers, return a number, and touch nothing else
static void calls_itself(int n, pair *x) {
    for (int i = 0; i < n; i++) {
#ifndef REMEDY
        pair c = power(x[i], i % 5);
        x[i].re = c.re;
#else
        double re = power(x[i].re, i % 5);
        x[i].re = re;
#endif
    }
}

// declined: `strlen` cannot be called on the device: its body is not in this file
// remedy: move the call out of the loop
static void length_each_time(int n, double *a, const char *name) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) a[i] += strlen(name + i % 2);
#else
    double length[2] = {strlen(name), strlen(name + 1)};
    for (int i = 0; i < n; i++) a[i] += length[i % 2];
#endif
}

// declined: `elsewhere` cannot be called on the device: its body is not in this file
// remedy: name the file that has its body, too; else move the call out of the loop
double elsewhere(double x);
static void calls_elsewhere(int n, double *a) {
    for (int i = 0; i < n; i++) a[i] = elsewhere(a[i]);
}

// The other file.
#ifdef REMEDY
double elsewhere(double x) { return 0.5 * x; }
#endif

static double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

// declined: this call cannot be part of a region: it is recursive
// remedy: move the call out of the loop, or write here what the function computes
static void cannot_open(int n, double *a) {
    for (int i = 0; i < n; i++) {
#ifndef REMEDY
        a[i] = factorial(i % 9);
#else
        a[i] = 1;
        for (int k = 2; k <= i % 9; k++) a[i] *= k;
#endif
    }
}

// declined: a pointer or aggregate is used as a value here
// remedy: use elements here, a[i]; decide before the loop what depends on the pointer itself
static void no_numbers(int n, double *a, const double *b) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) a[i] += a == b;
#else
    double are_one = a == b;
    for (int i = 0; i < n; i++) a[i] += are_one;
#endif
}

struct model {
    double (*force)(double), (*other)(double);
    double scale;
};

// declined: a member that is no number is used as a whole here
// remedy: use the numbers in it, and decide before the loop what depends on it as a whole
static void asks_for_a_member(int n, double *a, const struct model *m) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) a[i] *= m->force == m->other ? 2 : m->scale;
#else
    double factor = m->force == m->other ? 2 : m->scale;
    for (int i = 0; i < n; i++) a[i] *= factor;
#endif
}

// declined: this complex number is used in a way that is not modelled
// remedy: keep it in an array or in a variable whose address is not taken, and compute with + - * /, conj, creal, cimag, cabs, carg, csqrt, cexp, clog, cpow and functions of the same file
static void complex_sine(int n, double complex *z) {
    for (int i = 0; i < n; i++)
#ifndef REMEDY
        z[i] = csin(z[i]);
#else
        z[i] = (cexp(I * z[i]) - cexp(-I * z[i])) / (2 * I);
#endif
}

int main(void) {
    static double a[N], b[N];
    static double complex z[N];
    static pair p[N];
    static int k[N];
    for (int i = 0; i < N; i++) a[i] = b[i] = i % 7 - 2, k[i] = i % 9, z[i] = 0.1 * (i % 5) + 0.2 * I;
    block_with_value(N, a);
    assigns_within(N, a, b);
    asks_for_a_pointer(N, a, b);
    either(N, a, b, k);
    calls_itself(N, p);
    length_each_time(N, a, "abc");
    calls_elsewhere(N, a);
    cannot_open(N, a);
    no_numbers(N, a, b);
    struct model m = {0, 0, 0.5};
    asks_for_a_member(N, a, &m);
    complex_sine(N, z);
    printf("%g %g %g\n", a[3], b[5], creal(z[7]));
}
