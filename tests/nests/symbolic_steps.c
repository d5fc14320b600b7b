/* Loops that move their counter by a size: upward and downward, of every type, from elsewhere than zero, with subscripts
 * beside the counter; steps below one, and loops that do not run. */
#include <stddef.h>
#include <stdio.h>

#define N 1300

static void scale(int n, double a, double *x, int incx) {
    for (int i = 0; i < n * incx; i += incx) x[i] *= a;
}

static void forward(int n, int s, double *x) {
    for (int i = 0; i < n; i += s) x[i] += 1;
}

static void from_first(int n, int first, int s, double *x) {
    for (int i = first; i <= n; i = s + i) x[i] += i;
}

static void backward(int n, int s, double *x) {
    for (int i = n - 1; i >= 0; i -= s) x[i] += 2;
}

static void behind(int n, int s, double *x) {
    int i;
    for (i = n; i > 0; i = i - s) x[i - 1] += 3;
}

static void by_negative(int n, int s, double *x) {
    for (int i = n - 1; i >= 3; i += -s) x[i] += 2;
}

static void longs(long n, int s, double *x) {
    for (long i = 2; n > i; i += s) x[i] += 1;
}

static void sizes(size_t n, size_t s, double *x) {
    for (size_t i = 1; i < n; i += s) x[i] += x[i - 1];
}

static void unsigneds(unsigned n, unsigned s, double *x) {
    for (unsigned i = 0; i < n; i += s) x[i] += i;
}

static void twice(int n, int s, double *x, double *y) {
    for (int i = 0; i < n; i += 2 * s) {
        x[i] += y[i];
        y[i] = x[i] + 1;
    }
}

static double sum(int n, int s, const double *x) {
    double t = 0;
    for (int i = 0; i < n * s; i += s) t += x[i];
    return t;
}

static int largest(int n, int s, const double *x) {
    double most = -1;
    int at = -1;
    for (int i = 0; i < n; i += s)
        if (x[i] > most) {
            most = x[i];
            at = i;
        }
    return at;
}

static void whiles(int n, int s, double *x) {
    int i = 0;
    while (i < n) {
        x[i] += 1;
        i += s;
    }
}

static void neighbours(int n, int s, double *x, const double *y) {
    for (int i = 1; i < n - 1; i += s) x[i] = y[i - 1] + y[i] + y[i + 1];
}

struct grid {
    int n, every;
};

static void member(const struct grid *g, double *x) {
    for (int i = 0; i < g->n; i += g->every) x[i] += 1;
}

static void rows(int n, int m, int s, double (*x)[m]) {
    for (int i = 0; i < n; i += s)
        for (int j = 0; j < m; j++) x[i][j] += j;
}

static void columns(int n, int m, int s, double (*x)[m]) {
    for (int j = 0; j < m; j += s)
        for (int i = 0; i < n; i++) x[i][j] += i * j;
}

static void tiles(int n, int t, double *x) {
    for (int i = 0; i < n; i += t)
        for (int k = i; k < (i + t < n ? i + t : n); k++) x[k] += 1;
}

static int last(int n, int s, double *x) {
    int i;
    for (i = 0; i < n; i += s) x[i] += 1;
    return i;
}

static double x[4 * N], y[4 * N];

int main(void) {
    for (int i = 0; i < 4 * N; i++) {
        x[i] = i * 7 % 13;
        y[i] = i * 5 % 11;
    }
    for (int s = 1; s < 4; s++) {
        scale(N, 1.5, x, s);
        forward(N, s, x);
        from_first(N, 7, s, x);
        backward(N, s, x);
        behind(N, s, x);
        by_negative(N, s, x);
        longs(N, s, x);
        sizes(N, s, y);
        unsigneds(N, s, x);
        twice(N, s, x, y);
        whiles(N, s, x);
        neighbours(N, s, x, y);
        member(&(struct grid){N, s}, x);
        rows(N / 20, 20, s, (double (*)[20])x);
        columns(N / 20, 20, s, (double (*)[20])y);
        tiles(N, 16 * s, x);
        printf("%.9g %d %d\n", sum(N, s, x), largest(N, s, x), last(N, s, y));
    }
    scale(N, 0.5, x, -1);
    forward(-4, 2, x);
    forward(-3, -1, x);
    backward(0, 2, x);
    unsigneds(5, 4000000000u, x);
    double all = 0;
    for (int i = 0; i < 4 * N; i++) all = all * 0.99 + x[i] + y[i] * (1 + i % 7);
    printf("%.9g\n", all);
    return 0;
}
