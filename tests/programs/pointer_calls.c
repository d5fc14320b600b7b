// Calls through pointers to functions: which function it is, the call site says.
#include <math.h>
#include <stdio.h>

#define N 2000

typedef double (*real_function)(double);
typedef void (*ordering)(unsigned short, unsigned short *);

/* A parameter; the functions stand behind, and one of them is in the C library. */
void by_parameter(int n, const double *x, double *y, double (*f)(double)) {
    for (int i = 0; i < n; i++) y[i] = f(x[i]) + 0.5;
}

/* Of a type with a name, called as what it leads to; what is called sets a variable. */
void by_typedef(int n, const unsigned short *image, unsigned short *out, ordering pick) {
    for (int i = 1; i < n - 1; i++) {
        unsigned short best = image[i];
        for (int k = -1; k <= 1; k++) {
            unsigned short value = best;
            (*pick)(image[i + k], &value);
            if (value != best) best = value;
        }
        out[i] = best;
    }
}

/* A member, also of what is nested. */
struct force { float strength; float (*law)(float, float); };
struct model { int n; struct force pull; double (*source)(double); };

double by_member(struct model *m, const float *r, float *a, double *s) {
    double sum = 0;
    for (int i = 0; i < m->n; i++) {
        a[i] = m->pull.law(r[i], m->pull.strength);
        s[i] += (*m->source)(s[i]);
        if (m->source(0.5) > 0.25) sum += s[i];
    }
    return sum;
}

/* A global variable, one target. */
static int (*score)(char, char);

static int matches(char a, char b) { return a == b ? 2 : -1; }

void by_global(int n, const char *a, const char *b, int *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i * n + j] = score(a[i], b[j]);
}

/* A local variable that is set before the loop; what is called has loops of its own, and the time loop is around. */
typedef void right_hand_side(int n, const double *y, double *dy);

static void decay(int n, const double *y, double *dy) {
    for (int i = 0; i < n; i++) dy[i] = 0.25 * dy[i] - 0.5 * y[i];
}

static void spread(int n, const double *y, double *dy) {
    for (int i = 0; i < n; i++) {
        double left = i > 0 ? y[i - 1] : 0, right = i < n - 1 ? y[i + 1] : 0;
        dy[i] = 0.25 * dy[i] + left + right - 2 * y[i];
    }
}

void by_local(int n, int steps, int kind, double *y, double *dy) {
    right_hand_side *rhs = kind ? spread : decay;
    for (int t = 0; t < steps; t++) {
        rhs(n, y, dy);
        for (int i = 0; i < n; i++) y[i] += 0.125 * dy[i];
    }
}

/* A function that is handed on, and one that is handed over in the loop. */
static double twice(double (*f)(double), double x) { return f(f(x)); }
static double next(double x) { return x + 1; }

void handed(int n, double *y, real_function f) {
    for (int i = 0; i < n; i++) y[i] = twice(f, y[i]) * twice(next, y[i]);
}

/* It may lead nowhere. */
void perhaps(int n, double *y, double (*f)(double)) {
    for (int i = 0; i < n; i++) y[i] = f ? f(y[i]) : -y[i];
}

static double square(double x) { return x * x; }

/* The program adds to what the functions use: of a value that was handed over before, it changes nothing. */
static double offset = 1;
static double moves(double x, int by) { offset += by; return x; }
static void adds(double more, double *y, double (*f)(double, int)) { *y = f(*y, 1) + more; }

void kept(int n, double *y, double (*f)(double, int)) {
    for (int i = 0; i < n; i++) adds(offset, &y[i], f);
}

static void lesser(unsigned short value, unsigned short *least) {
    if (*least > value) *least = value;
}

static void greater(unsigned short value, unsigned short *most) {
    if (*most < value) *most = value;
}

static float gravity(float r, float k) { return -k / (r * r + 0.25f); }
static float spring(float r, float k) { return -k * r; }

/* No target that anybody knows: a call with it runs the original. */
static double keeps(double x) {
    static double last;
    last = 0.5 * last + x;
    return last;
}

static double sum(int n, const double *y) {
    double s = 0;
    for (int i = 0; i < n; i++) s += y[i];
    return s;
}

int main(void) {
    static double x[N], y[N], s[N];
    static float r[N], a[N];
    static unsigned short image[N], out[N];
    static char p[100], q[100];
    static int table[10000];
    for (int i = 0; i < N; i++) {
        x[i] = 0.25 * (i % 9);
        y[i] = s[i] = 0.001 * i;
        r[i] = 0.5f * (i % 11);
        image[i] = (unsigned short)(i * 7919 % 1009);
    }
    for (int i = 0; i < 100; i++) {
        p[i] = (char)(i % 4);
        q[i] = (char)(i % 3);
    }
    double (*const functions[])(double) = {sqrt, square};
    double (*other)(double) = 0;
    for (int k = 0; k < 2; k++) {
        by_parameter(N, x, y, functions[k]);
        printf("%.6f\n", sum(N, y));
        by_typedef(N, image, out, k ? lesser : &greater);
        printf("%d %d\n", out[7], out[500]);
        struct model m = {N, {0.5f, k ? gravity : spring}, k ? square : sqrt};
        printf("%.6f %.4f\n", by_member(&m, r, a, s), a[5]);
        by_local(N, 5, k, y, x);
        printf("%.6f\n", sum(N, y));
        handed(N, y, k ? square : sqrt);
        printf("%.6g\n", sum(N, y));
        for (int i = 0; i < N; i++) y[i] = s[i] = 0.001 * i;
        perhaps(N, y, other);
        printf("%.6g\n", sum(N, y));
        other = square;
    }
    by_parameter(N, x, y, keeps);
    printf("%.6f\n", sum(N, y));
    kept(N, y, moves);
    printf("%.6f %g\n", sum(N, y), offset);
    score = matches;
    by_global(100, p, q, table);
    int total = 0;
    for (int i = 0; i < 10000; i++) total += table[i];
    printf("%d\n", total);
    return 0;
}
