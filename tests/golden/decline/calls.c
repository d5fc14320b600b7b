/* Functions that cannot be called on a device. */
extern double elsewhere(double);
int printf(const char *, ...);
static double total;

static double counting(double x) {
    total = total / 2 + x;
    return total;
}

static double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

static void set(double *a) {
    static int times;
    a[times++] = 1;
}

static double first(int n, double *a, double least) {
    for (int i = 0; i < n; i++)
        if (a[i] > least)
            return a[i];  // decline: `return` leaves the region
    return least;
}

void external(int n, double *a) {
    for (int i = 0; i < n; i++)
        a[i] = elsewhere(a[i]);  // decline: `elsewhere` cannot be called on the device
}

void impure(int n, double *a) {
    for (int i = 0; i < n; i++)  // decline: iterations depend on each other through `total`
        a[i] = counting(a[i]);
}

void recursive(int n, double *a) {
    for (int i = 0; i < n; i++)
        a[i] = factorial(i);  // decline: this call cannot be part of a region: it is recursive
}

void through_a_pointer(int n, double *a) {
    for (int i = 0; i < n; i++)
        set(&a[i]);  // decline: this call cannot be part of a region: it keeps `times` from call to call
}

void from_the_middle(int n, double *a) {
    for (int i = 0; i < n; i++)  // decline: no loop here is parallel: iterations depend on each other through `a`
        a[i] = first(n, a, 0.5);
}

void printing(int n, double *a) {
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);  // decline: `printf` cannot be called on the device: its body is not in this file
}

void chosen(int n, double *a, double (*f)(double)) {
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);  // decline: a call through a pointer
}
