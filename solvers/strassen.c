/* C = A B for square matrices with seven products of half the size instead of eight: Strassen's method and Winograd's
 * variant of it, which adds matrices 15 times instead of 18.
 *
 * Strassen, 1969; Winograd's variant in the order of Boyer, Dumas, Pernet and Zhou, 2009, table 1. The last level is one
 * region: its sums and products follow each other on the device, and the products are those of a library. Levels above it
 * are a recursion on the host, for matrices larger than LAST: one level is the fastest until the device is full (rt-cuda,
 * section 4.7.1). A size that cannot be halved is multiplied as usual. The main program multiplies matrices of size N by
 * both methods and as usual, and compares; the sizes are set with -DN=... and -DLAST=...
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 48
#endif
#ifndef LAST
#define LAST N
#endif

/* z = x + y, z = x - y, z = x y: n x n elements, each row so many elements behind the one before it. */
static void add(int n, const double *x, int row_x, const double *y, int row_y, double *z, int row_z) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[i * row_z + j] = x[i * row_x + j] + y[i * row_y + j];
}

static void subtract(int n, const double *x, int row_x, const double *y, int row_y, double *z, int row_z) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[i * row_z + j] = x[i * row_x + j] - y[i * row_y + j];
}

static void multiply(int n, const double *x, int row_x, const double *y, int row_y, double *z, int row_z) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += x[i * row_x + k] * y[k * row_y + j];
            z[i * row_z + j] = sum;
        }
}

/* The quarters of a matrix. */
#define Q11(x) x, row_##x
#define Q12(x) x + h, row_##x
#define Q21(x) x + h * row_##x, row_##x
#define Q22(x) x + h * row_##x + h, row_##x

/* c = a b, 2 h x 2 h elements, with products of h x h by `product`; s, t and m have room for h x h. */
#define STRASSEN(product)                                                                                                \
    add(h, Q11(a), Q22(a), s, h);                                                                                        \
    add(h, Q11(b), Q22(b), t, h);                                                                                        \
    product(h, s, h, t, h, Q11(c));                                                                                      \
    add(h, Q21(a), Q22(a), s, h);                                                                                        \
    product(h, s, h, Q11(b), Q21(c));                                                                                    \
    subtract(h, Q11(c), Q21(c), Q22(c));                                                                                 \
    subtract(h, Q12(b), Q22(b), t, h);                                                                                   \
    product(h, Q11(a), t, h, Q12(c));                                                                                    \
    add(h, Q22(c), Q12(c), Q22(c));                                                                                      \
    subtract(h, Q21(b), Q11(b), t, h);                                                                                   \
    product(h, Q22(a), t, h, m, h);                                                                                      \
    add(h, Q11(c), m, h, Q11(c));                                                                                        \
    add(h, Q21(c), m, h, Q21(c));                                                                                        \
    add(h, Q11(a), Q12(a), s, h);                                                                                        \
    product(h, s, h, Q22(b), m, h);                                                                                      \
    add(h, Q12(c), m, h, Q12(c));                                                                                        \
    subtract(h, Q11(c), m, h, Q11(c));                                                                                   \
    subtract(h, Q21(a), Q11(a), s, h);                                                                                   \
    add(h, Q11(b), Q12(b), t, h);                                                                                        \
    product(h, s, h, t, h, m, h);                                                                                        \
    add(h, Q22(c), m, h, Q22(c));                                                                                        \
    subtract(h, Q12(a), Q22(a), s, h);                                                                                   \
    add(h, Q21(b), Q22(b), t, h);                                                                                        \
    product(h, s, h, t, h, m, h);                                                                                        \
    add(h, Q11(c), m, h, Q11(c))

/* The same by Winograd's variant; s and t have room for h x h. */
#define WINOGRAD(product)                                                                                                \
    subtract(h, Q11(a), Q21(a), s, h);                                                                                   \
    subtract(h, Q22(b), Q12(b), t, h);                                                                                   \
    product(h, s, h, t, h, Q21(c));                                                                                      \
    add(h, Q21(a), Q22(a), s, h);                                                                                        \
    subtract(h, Q12(b), Q11(b), t, h);                                                                                   \
    product(h, s, h, t, h, Q22(c));                                                                                      \
    subtract(h, s, h, Q11(a), s, h);                                                                                     \
    subtract(h, Q22(b), t, h, t, h);                                                                                     \
    product(h, s, h, t, h, Q12(c));                                                                                      \
    subtract(h, Q12(a), s, h, s, h);                                                                                     \
    product(h, s, h, Q22(b), Q11(c));                                                                                    \
    product(h, Q11(a), Q11(b), s, h);                                                                                    \
    add(h, s, h, Q12(c), Q12(c));                                                                                        \
    add(h, Q12(c), Q21(c), Q21(c));                                                                                      \
    add(h, Q12(c), Q22(c), Q12(c));                                                                                      \
    add(h, Q21(c), Q22(c), Q22(c));                                                                                      \
    add(h, Q12(c), Q11(c), Q12(c));                                                                                      \
    subtract(h, t, h, Q21(b), t, h);                                                                                     \
    product(h, Q22(a), t, h, Q11(c));                                                                                    \
    subtract(h, Q21(c), Q11(c), Q21(c));                                                                                 \
    product(h, Q12(a), Q21(b), Q11(c));                                                                                  \
    add(h, s, h, Q11(c), Q11(c))

/* Ends the program: what a recursion has begun cannot be undone. */
static void no_memory(void) {
    fprintf(stderr, "strassen: not enough memory\n");
    exit(1);
}

/* The last level of a method: what it adds and multiplies stays on the device. */
static void strassen_level(int h, const double *a, int row_a, const double *b, int row_b, double *c, int row_c) {
    double *s = malloc((size_t)h * h * sizeof *s), *t = malloc((size_t)h * h * sizeof *t);
    double *m = malloc((size_t)h * h * sizeof *m);
    if (!s || !t || !m)
        no_memory();
#pragma rt region name(strassen)
    STRASSEN(multiply);
#pragma rt end
    free(s);
    free(t);
    free(m);
}

static void winograd_level(int h, const double *a, int row_a, const double *b, int row_b, double *c, int row_c) {
    double *s = malloc((size_t)h * h * sizeof *s), *t = malloc((size_t)h * h * sizeof *t);
    if (!s || !t)
        no_memory();
#pragma rt region name(winograd)
    WINOGRAD(multiply);
#pragma rt end
    free(s);
    free(t);
}

/* What is left where nothing more can be halved. */
static void as_usual(int n, const double *a, int row_a, const double *b, int row_b, double *c, int row_c) {
#pragma rt region name(as_usual)
    multiply(n, a, row_a, b, row_b, c, row_c);
#pragma rt end
}

/* c = a b by Strassen's method. */
static void strassen(int n, const double *a, int row_a, const double *b, int row_b, double *c, int row_c) {
    int h = n / 2;
    if (n % 2) {
        as_usual(n, a, row_a, b, row_b, c, row_c);
    } else if (n <= LAST || h % 2) {
        strassen_level(h, a, row_a, b, row_b, c, row_c);
    } else {
        double *s = malloc((size_t)h * h * sizeof *s), *t = malloc((size_t)h * h * sizeof *t);
        double *m = malloc((size_t)h * h * sizeof *m);
        if (!s || !t || !m)
            no_memory();
        STRASSEN(strassen);
        free(s);
        free(t);
        free(m);
    }
}

/* c = a b by Winograd's variant. */
static void winograd(int n, const double *a, int row_a, const double *b, int row_b, double *c, int row_c) {
    int h = n / 2;
    if (n % 2) {
        as_usual(n, a, row_a, b, row_b, c, row_c);
    } else if (n <= LAST || h % 2) {
        winograd_level(h, a, row_a, b, row_b, c, row_c);
    } else {
        double *s = malloc((size_t)h * h * sizeof *s), *t = malloc((size_t)h * h * sizeof *t);
        if (!s || !t)
            no_memory();
        WINOGRAD(winograd);
        free(s);
        free(t);
    }
}

int main(void) {
    size_t bytes = (size_t)N * N * sizeof(double);
    double *a = malloc(bytes), *b = malloc(bytes), *usual = malloc(bytes), *c = malloc(bytes);
    if (!a || !b || !usual || !c)
        no_memory();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i * N + j] = (i * 7 + j * 3) % 11 * 0.1 - 0.5;
            b[i * N + j] = (i * 5 + j * 13) % 17 * 0.1 - 0.8;
        }
    as_usual(N, a, N, b, N, usual, N);
    for (int method = 0; method < 2; method++) {
        double worst = 0.0;
        if (method == 0)
            strassen(N, a, N, b, N, c, N);
        else
            winograd(N, a, N, b, N, c, N);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                worst = fmax(worst, fabs(c[i * N + j] - usual[i * N + j]));
        printf("%s: n = %d, %s\n", method ? "winograd" : "strassen", N, worst <= 1e-12 * N * N ? "right" : "wrong");
        fprintf(stderr, "the largest difference from the usual product is %.1e\n", worst);
    }
    free(a);
    free(b);
    free(usual);
    free(c);
    return 0;
}
