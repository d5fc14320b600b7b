/* Functions that cannot be called on a device. */
extern double elsewhere(double);
int printf(const char *, ...);
static double total;

static double counting(double x) {
    total += x;
    return total;
}

static double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

static void set(double *a) { *a = 1; }

void external(int n, double *a) {
    for (int i = 0; i < n; i++)
        a[i] = elsewhere(a[i]);  // decline: `elsewhere` cannot be called on the device
}

void impure(int n, double *a) {
    for (int i = 0; i < n; i++)
        a[i] = counting(a[i]);  // decline: `counting` cannot be called on the device
}

void recursive(int n, double *a) {
    for (int i = 0; i < n; i++)
        a[i] = factorial(i);  // decline: `factorial` cannot be called on the device: it is recursive
}

void through_a_pointer(int n, double *a) {
    for (int i = 0; i < n; i++)
        set(&a[i]);  // decline: `set` cannot be called on the device
}

void printing(int n, double *a) {
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);  // decline: `printf` cannot be called on the device: its body is not in this file
}

void chosen(int n, double *a, double (*f)(double)) {
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);  // decline: a call through a pointer
}
