/* Loops that count by pointers: up and down, by steps, to a place or past it, in step with others, over rows and columns, with
   values of the pointers before the loop; none to run, and fewer than none. */
#include <stdio.h>
enum { N = 37, M = 53 };
static double a[N][M], x[4 * M], y[4 * M];
static int counts[N];
static float single[2 * M];

static double sum(const double *v, int n) {
    double s = 0;
    const double *p;
    for (p = v; p < v + n; p++) s += *p * 2;
    return s;
}
static void up_to_a_place(double *v, int n) {
    for (double *p = v, *end = v + n; p != end; ++p) *p = *p + 1;
}
static void while_before(double *v, int n) {
    double *p = v;
    double *end = v + n;
    while (p < end) *p++ = n;
}
static void in_step(const double *from, double *to, int n) {
    const double *p;
    double *q;
    for (p = from, q = to; p < from + n; p++, q++) *q = *p + 1;
}
static void backwards(const double *from, double *to, int n) {
    const double *p = from;
    double *q;
    for (q = to + n - 1; q >= to; q--) *q = 3 * *p++;
}
static void backwards_by_three(double *v, int n) {
    for (double *p = v + n - 1; p >= v; p -= 3) p[0] += 7;
}
static void past_the_first(double *v, int n) {
    for (double *p = v + n; p > v + 2; --p) p[-1] += p - v > 0 ? 1 : 0;
}
static void pairs(double *v, int n) {
    double *p = v, *last = v + n - 1;
    while (p < last) {
        p[0] = p[1] + 2;
        p[1] = 5;
        p += 2;
    }
}
static void to_the_last(double *v, int n) {
    double *p = &v[1];
    for (; p <= &v[n - 1]; p += 2) *p += 3;
}
static void rows(int n, int m) {
    for (int i = 0; i < n; i++) {
        const double *from = x + i;
        for (double *p = a[i]; p < a[i] + m; p++) *p = *from++ + i;
    }
}
static void rows_by_addresses(int n, int m) {
    double *p;
    for (int i = 0; i < n; i++) {
        int count = 0;
        for (p = &a[i][0]; p < &a[i][m]; p++) {
            count += *p > 20;
            *p += 1;
        }
        counts[i] = count;
    }
}
static void column(double *v, int n, int j) {
    for (double *p = v + j; p < v + n * 11; p += 11) *p = -j;
}
static void repeated(int steps, float *v, unsigned n) {
    for (int t = 0; t < steps; t++)
        for (float *p = v + 1; p < v + n; p++) *p += p[-1] > t;
}
static void with_a_number(double *v, int n) {
    double *p;
    int i;
    for (p = v, i = 4; p < v + n; ++p, i++) *p = i * 2;
}
static void own_end(double *p, int n) {
    const double *end = p + n;
    while (p < end) *p++ -= 3;
}
static void end_of_the_first(double *v, int n) {
    double *p = v + 1, *q = v, *end = p + n;
    for (; end > p; p++, q++) *q = *p * 2;
}
static int number_behind(double *v, int n) {
    double *p;
    int i;
    for (p = v, i = 4; p < v + n; ++p, i++) *p -= i;
    return i;
}
static void bytes(void *v, int n) {
    double *p = v, *end = (double *)((char *)v + 8 * n);
    for (; p < end; p++) *p += 1;
}
static void other_first(double *v, int n) {
    double *end = v + n;
    v = v + 2;
    for (double *p = v; p < end; p++) *p -= 1;
}
static void set_in_the_head(double *v, int n) {
    double *p, *end = v + n;
    for (p = v, n = 3; p < end; p++) *p -= n;
}
static long behind(double *v, int n) {
    double *p;
    for (p = v; p < v + n; p++) *p += 1;
    return p - v;
}
static void other_arrays(double *p, double *end) {
    while (p < end) *p++ += 1;
}
static void end_that_moves(double *v, int n) {
    double *end = v + n;
    for (double *p = v; p < end; p++) {
        *p += 1;
        if (*p > 10) end--;
    }
}
static void all(int n, int m) {
    double s = sum(x, n) + sum(x, -n) + sum(x, 0);
    printf("%.0f\n", s);
    up_to_a_place(x, n);
    up_to_a_place(x, 0);
    while_before(y, n);
    while_before(y + n, -3);
    in_step(x, y + 3, n);
    backwards(y, x + 1, n);
    backwards(y, x + 1, 0);
    backwards_by_three(y, n);
    backwards_by_three(y, 2);
    past_the_first(y, n);
    past_the_first(y, 1);
    pairs(x + 2, n);
    pairs(x, n + 1);
    pairs(x, 1);
    to_the_last(x, n);
    to_the_last(x, n - 1);
    rows(m, n);
    rows(2, 0);
    rows_by_addresses(m, n);
    column(x, 17, 3);
    column(x, 0, 3);
    repeated(4, single, n);
    with_a_number(y + n, n);
    own_end(y + 1, n);
    end_of_the_first(y, n);
    printf("%d %d\n", number_behind(y, n), number_behind(y, -2));
    bytes(y, n);
    other_first(x, n);
    set_in_the_head(x, n);
    printf("%ld\n", behind(y, n) + behind(y, 0));
    other_arrays(y, y + n);
    end_that_moves(y, n);
}
int main(void) {
    for (int i = 0; i < 4 * M; i++) {
        x[i] = i % 13 - 4;
        y[i] = i % 7;
        if (i < 2 * M) single[i] = i % 5 - 2;
    }
    all(M, N);
    all(M - 2, N - 1);
    double s = 0, c = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) s += a[i][j] * ((i + 2 * j) % 9);
        c += counts[i];
    }
    for (int i = 0; i < 4 * M; i++) s += x[i] * (i % 11) + y[i] * (i % 8) + (i < 2 * M ? single[i] : 0);
    printf("%.0f %.0f\n", s, c);
    return 0;
}
