// Pointers to functions that change, are hidden, asked, or reached through tables.
#include <math.h>
#include <stdio.h>
#define N 1500
static double square(double x) { return x * x; }
static double half(double x) { return 0.5 * x; }
static void swap(double (**p)(double)) {
    *p = *p == square ? half : square;  // decline: a value that is no number
}

/* 1: changes by address */
void f1(int n, double *y, double (*f)(double)) {
    for (int i = 0; i < n; i++) { y[i] = f(y[i]); swap(&f); }
}
/* 2: volatile */
void f2(int n, double *y, double (*volatile f)(double)) {
    for (int i = 0; i < n; i++) y[i] = f(y[i]);  // decline: it may be another in each iteration
}
/* 3: a hidden name */
void f3(int n, double *y, double (*f)(double)) {
    double half = 0.25;
    for (int i = 0; i < n; i++) y[i] = f(y[i]) + half;
}
/* 4: asked by the program */
void f4(int n, double *y, double (*f)(double)) {
    for (int i = 0; i < n; i++) {
        if (f == half) y[i] += 3; else y[i] = f(y[i]);
        y[i] += f != square;
    }
}
/* 6, 7: tables */
struct op { double (*f)(double); double w; };
static struct op ops[2] = {{half, 2}, {square, 3}};
void f6(int n, int k, double *y, double (*f[])(double)) {
    for (int i = 0; i < n; i++) y[i] = f[k](y[i]);  // decline: it is reached through more than variables and members
}
void f7(int n, int k, double *y) {
    for (int i = 0; i < n; i++) y[i] = ops[k].f(y[i]) * ops[k].w;  // decline: it is reached through more than variables
}
void f7b(int n, int k, double *y) {
    struct op *o = &ops[k];
    for (int i = 0; i < n; i++) y[i] = o->f(y[i]) * o->w;
}
/* 8: until */
double f8(double a, double b, double (*f)(double)) {
    while (b - a > 1e-9) {
        double m = 0.5 * (a + b);
        if (f(m) > 2) b = m;  // decline: is called here, between nests of one region
        else a = m;
    }
    return a;
}
void f8b(int n, double *y, double (*f)(double)) {
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (f(y[i]) > 0.5 && k < 9) {
            y[i] *= 0.5;
            k++;
        }
    }
}
/* 9: set around */
static double (*const table[])(double) = {square, half};
void f9(int n, double *y) {
    for (int k = 0; k < 4; k++) {
        double (*f)(double) = table[k % 2];
        for (int i = 0; i < n; i++) y[i] = f(y[i]) + k;
    }
}
/* 10: set before */
void f10(int n, double *y, double (*f)(double)) {
    if (!f) f = square;
    for (int i = 0; i < n; i++) y[i] = f(y[i]);
}
/* 11: static local */
void f11(int n, double *y, int set) {
    static double (*kept)(double);
    if (set) kept = set == 1 ? half : square;
    for (int i = 0; i < n; i++) y[i] = kept(y[i]);
}
/* set in the loop around it, in a member */
void f12(int n, double *y, struct op *o) {
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++) y[i] = o->f(y[i]) * 0.5;
        o->f = o->f == half ? square : half;
    }
}
void f13(int n, double *y, struct op *o, struct op *p) {
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++) y[i] = o->f(y[i]) * o->w;
        o->w *= 0.5;
        struct op t = *o; *o = *p; *p = t;
    }
}
/* What is called asks for a function that is not declared here. */
static void asks(double *y, double (*f)(double));
void f14(int n, double *y, double (*f)(double)) {
    for (int i = 0; i < n; i++) asks(&y[i], f);  // decline: `asks` cannot be called on the device
}
static double late(double x) { return x - 0.125; }
static void asks(double *y, double (*f)(double)) { *y += f == late ? 2 : 1; }

static double sum(const double *y) { double s = 0; for (int i = 0; i < N; i++) s += y[i]; return s; }
static void reset(double *y) { for (int i = 0; i < N; i++) y[i] = 0.002 * i; }
int main(void) {
    static double y[N];
    double (*both[])(double) = {square, half};
    for (int k = 0; k < 2; k++) {
        reset(y); f1(N, y, both[k]); printf("1 %.9g\n", sum(y));  // decline: its parameter `f`, or what is given for it, changes
        reset(y); f2(N, y, both[k]); printf("2 %.9g\n", sum(y));
        reset(y); f3(N, y, both[k]); printf("3 %.9g\n", sum(y));
        reset(y); f4(N, y, both[k]); printf("4 %.9g\n", sum(y));
        reset(y); f6(N, k, y, both); printf("6 %.9g\n", sum(y));
        reset(y); f7(N, k, y); f7b(N, 1 - k, y); printf("7 %.9g\n", sum(y));
        printf("8 %.9g\n", f8(0, 9, both[k]));
        reset(y); f8b(N, y, both[k]); printf("8b %.9g\n", sum(y));
        reset(y); f9(N, y); printf("9 %.9g\n", sum(y));
        reset(y); f10(N, y, k ? 0 : half); printf("10 %.9g\n", sum(y));
        reset(y); f11(N, y, k + 1); f11(N, y, 0); printf("11 %.9g\n", sum(y));
        reset(y); f12(N, y, &ops[k]); printf("12 %.9g\n", sum(y));
        reset(y); f13(N, y, &ops[k], &ops[1 - k]); printf("13 %.9g\n", sum(y));
    }
    reset(y); f14(N, y, late); f14(N, y, half); printf("14 %.9g\n", sum(y));
    reset(y); f3(N, y, sqrt); f4(N, y, sqrt); printf("%.9g\n", sum(y));
    return 0;
}
