double sqrt(double);
struct model { double (*source)(double); double rate; };

static double square(double x) { return x * x; }
static void lesser(int value, int *least) { if (*least > value) *least = value; }
static void greater(int value, int *most) { if (*most < value) *most = value; }
static double twice(double (*f)(double), double x) { return f(f(x)); }

/* Of numbers alone: a choice between values. */
void values(int n, double *a, struct model *m) {
    for (int i = 0; i < n; i++) a[i] = m->source(a[i]) + m->rate;
}

/* What sets variables: a choice between statements. */
void statements(int n, int *a, void (*pick)(int, int *)) {
    for (int i = 1; i < n; i++) {
        int value = a[i];
        (*pick)(a[i - 1], &value);
        a[i] = value;
    }
}

/* A function that is known is the only one; of a function that is handed on, each call is a choice. */
void handed(int n, double *a, double (*f)(double)) {
    for (int i = 0; i < n; i++) a[i] = twice(square, a[i]) - twice(f, a[i]);
}

/* The loop may set the pointer; it is kept. */
void set(int n, double *a, double (*f)(double)) {
    for (int i = 0; i < n; i++) {
        if (a[i] > 1) f = square;
        a[i] = f(a[i]);
    }
}

void (*const pickers[])(int, int *) = {lesser, &greater};
struct model models[] = {{.source = square}, {sqrt, 2}};
