// Calls through pointers of which nobody knows the function.
#include <ctype.h>
#include <stdio.h>

enum { N = 400 };

static float one(float x) { return x + 1; }
static float two(float x) { return x * 0.5f; }
static double three(double x) { return x + 3; }
static double four(double x) { return x - 0.25 * x; }
static double five(double x) { return 5 - x; }
static double six(double x) { return x * x; }
static double seven(double x) { return -x; }

static float (*const floats[])(float) = {one, two};
static double (*const doubles[])(double) = {three, four, five, six, seven};

// declined: a call through a pointer, of which nobody knows the function: none of its type whose body is known here has its address taken in this program
// remedy: call the function by its name, or hand over one that this file defines
static void unknown(int n, int *a, int (*f)(int)) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) a[i] = f(a[i]);
#else
    for (int i = 0; i < n; i++) a[i] = f == toupper && a[i] >= 'a' && a[i] <= 'z' ? a[i] - 32 : a[i];
#endif
}

// declined: a call through a pointer, of which nobody knows the function: 5 functions of its type have their address taken, and a loop is made for 4 at most
// remedy: call the functions by their names, in a loop for each
static void of_many(int n, double *a, double (*f)(double)) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) a[i] = f(a[i]);
#else
    if (f == three)
        for (int i = 0; i < n; i++) a[i] = three(a[i]);
    else if (f == four)
        for (int i = 0; i < n; i++) a[i] = four(a[i]);
    else
        for (int i = 0; i < n; i++) a[i] = f == five ? five(a[i]) : f == six ? six(a[i]) : seven(a[i]);
#endif
}

// declined: a call through a pointer, of which nobody knows the function: it is reached through more than variables and members
// remedy: copy the pointer to a variable before the loop, and call through that
static void of_a_table(int n, float *a, int k) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) a[i] = floats[k](a[i]);
#else
    float (*f)(float) = floats[k];
    for (int i = 0; i < n; i++) a[i] = f(a[i]);
#endif
}

// declined: the pointer `f` to a function is declared here
// remedy: set the pointer before the loop, and leave it as it is in it
static void set_inside(int n, float *a, int k) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) {
        float (*f)(float) = k > 3 ? one : two;
        a[i] = f(a[i]);
    }
#else
    float (*f)(float) = k > 3 ? one : two;
    for (int i = 0; i < n; i++) a[i] = f(a[i]);
#endif
}

int main(void) {
    static int a[N];
    static float b[N];
    static double c[N];
    for (int i = 0; i < N; i++) {
        a[i] = 'a' + i % 20;
        b[i] = c[i] = i % 17;
    }
    unknown(N, a, toupper);
    for (int k = 0; k < 5; k++) {
        of_many(N, c, doubles[k]);
        of_a_table(N, b, k % 2);
        set_inside(N, b, k);
    }
    printf("%d %g %g\n", a[7], b[N - 1], c[N - 2]);
}
