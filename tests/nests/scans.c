/* Scans: loops in which each iteration takes over what those before it join to, by a scalar or by the element before. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void inclusive(long n, const double *restrict a, double *restrict b) {
    double s = 0;
    for (long i = 0; i < n; i++) {
        s += a[i];
        b[i] = s;
    }
}

static double exclusive(long n, const double *restrict a, double *restrict b, double s) {
    for (long i = 0; i < n; i++) {
        b[i] = s;
        s += a[i];
    }
    return s;
}

static int offsets(int n, int *restrict count) {
    int start = 0;
    for (int i = 0; i < n; i++) {
        int c = count[i];
        count[i] = start;
        start += c;
    }
    return start;
}

static void by_element(long n, const double *restrict a, double *restrict b) {
    if (n > 0) b[0] = a[0];
    for (long i = 1; i < n; i++) b[i] = b[i - 1] + a[i];
}

static void in_place(int n, double *a) {
    for (int i = 1; i < n; i++) a[i] += a[i - 1];
}

static void backwards(int n, const long *restrict a, long *restrict b) {
    for (int i = n - 2; i >= 0; i--) b[i] = a[i] - 1 + b[i + 1];
}

static void every_third(int n, unsigned *a) {
    for (int i = 3; i < n; i += 3) a[i] = a[i - 3] ^ a[i];
}

static void greatest(int n, const float *restrict a, float *restrict b, float m) {
    for (int i = 0; i < n; i++) {
        if (a[i] > m) m = a[i];
        b[i] = m - a[i];
    }
}

static void least(int n, const int *restrict a, int *restrict b) {
    int m = INT_MAX;
    for (int i = 0; i < n; i++) {
        m = a[i] < m ? a[i] : m;
        b[i] = m;
    }
}

static void bits(int n, const unsigned char *restrict a, unsigned char *restrict both, unsigned char *restrict any) {
    unsigned char x = 0xff, y = 0;
    for (int i = 0; i < n; i++) {
        x &= a[i] | 0xf0;
        both[i] = x;
    }
    for (int i = 0; i < n; i++) {
        y |= a[i] & 3;
        any[i] = y;
    }
}

static void factors(int n, const double *restrict a, double *restrict b) {
    double p = 1;
    for (int i = 0; i < n; i++) {
        p *= a[i];
        b[i] = p;
    }
}

static int counted(int n, const int *restrict a, int *restrict rank) {
    int m = 0;
    for (int i = 0; i < n; i++) {
        rank[i] = -1;
        if (a[i] > 0) m++;
        if (a[i] > 0) rank[i] = m;
    }
    return m;
}

static void small(int n, short *a) {
    for (int i = 1; i < n; i++) a[i] += a[i - 1];
}

static void row_of(int n, int m, int r, double a[n][m]) {
    for (int j = 1; j < m; j++) a[r][j] = a[r][j - 1] + a[r][j] * 0.5;
}

static void column_of(int n, int m, int c, double a[n][m]) {
    for (int i = 1; i < n; i++) a[i][c] += a[i - 1][c];
}

static void stepped(int steps, int n, double *restrict a, double *restrict b) {
    for (int t = 0; t < steps; t++) {
        double s = t;
        for (int i = 0; i < n; i++) {
            s += a[i];
            b[i] = s;
        }
        for (int i = 0; i < n; i++) a[i] = b[i] > 64 ? i % 7 : b[i];
    }
}

static void pascal(int rows, unsigned *a) {
    for (int r = 1; r < rows; r++)
        for (int i = 1; i < r; i++) a[i] += a[i - 1];
}

static void and_more(int n, const double *restrict a, double *restrict b, double *restrict c) {
    for (int i = 1; i < n; i++) {
        b[i] = b[i - 1] + a[i];
        c[i] = b[i] * 2 + b[i - 1];
    }
}

static void two(int n, const double *restrict a, double *restrict b, double *restrict c) {
    double s = 0, t = 1;
    for (int i = 0; i < n; i++) {
        s += a[i];
        b[i] = s;
        t += a[i] * a[i];
        c[i] = t;
    }
}

static int kept(int n, const int *restrict a, int b[restrict n]) {
    int m = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 2) b[m++] = a[i];
    return m;
}

static long places(int n, long m, const int *restrict a, int b[restrict n + 1][2]) {
    for (int i = 0; i < n; i++) {
        int odd = a[i] & 1;
        if (odd) b[m][1] = i;
        if (odd) m += 1;
    }
    return m;
}

static void halves(int n, const int *restrict a, int b[restrict n], int c[restrict n]) {
    int m = 0, k = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 3)
            b[m++] = i;
        else
            c[k++] = i;
    }
}

static void many(int n, const long *restrict a, long *restrict b) {
    long s = 3;
#pragma rt block(32) merge(1)
    for (int i = 0; i < n; i++) {
        s += a[i];
        b[i] = s;
    }
}

/* Not scans. */
static int last_of_each(int n, const int *restrict a, int b[restrict n + 1]) {
    int m = 0;
    for (int i = 0; i < n; i++) {
        b[m] = i;
        if (a[i] > 2) m++;
    }
    return m;
}

static int by_another(int n, const int *restrict a, int b[restrict n + 1]) {
    int m = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 0) b[m] = i;
        if (a[i] > 2) m++;
    }
    return m;
}

static int changed(int n, int *restrict a, int b[restrict n + 1]) {
    int m = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 2) b[m] = i;
        a[i] = i % 5;
        if (a[i] > 2) m++;
    }
    return m;
}

static void around(int n, const int *restrict a, int b[restrict 256]) {
    unsigned char m = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 2) b[m++] = i;
}

static void both(int n, const int *restrict a, int b[restrict n + 2]) {
    int m = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 2) {
            b[m] = i;
            b[m + 1] = -i;
            m++;
        }
}

static void squared(int n, unsigned *b) {
    for (int i = 1; i < n; i++) b[i] = b[i - 1] * b[i - 1] + b[i];
}

static void from_two(int n, double *restrict b, const double *restrict a) {
    for (int i = 2; i < n; i++) b[i] = b[i - 2] + a[i];
}

static void by_itself(int n, const double *restrict a, double *restrict b) {
    double s = 1;
    for (int i = 0; i < n; i++) {
        double t = s > 10 ? a[i] : 2 * a[i];
        s += t;
        b[i] = s;
    }
}

static void set_back(int n, const double *restrict a, double *restrict b) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
        b[i] = s;
        if (s > 100) s = 0;
    }
}

static void twice(int n, const double *restrict a, double *restrict b) {
    for (int i = 1; i < n; i++) {
        b[i] = b[i - 1] + a[i];
        b[i] = b[i] - a[i] * 0.5;
    }
}

static void changed_between(int n, double *restrict a, double *restrict b) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        a[i] = a[i] * 0.5 + i % 3;
        s += a[i];
        b[i] = s;
    }
}

static void last_wins(int n, const double *restrict a, double *restrict b) {
    double t = 0, s = 0;
    for (int i = 0; i < n; i++) {
        t = a[i];
        b[i] = s * t;
        t = 2 * a[i];
        s += t;
    }
}

#define MOST 4099

static double total;

static void add(int n, const double *x) {
    for (int i = 0; i < n; i++) total += x[i] * (1 + i % 7);
}

static void add_up(int n, const int *x) {
    for (int i = 0; i < n; i++) total += x[i] % 101 * (1 + i % 3);
}

/* Small enough that every sum is exact. */
static void sum_up(int n, const double *x) {
    add(n, x);
    total -= 65536.0 * (long)(total / 65536.0);
}

static void all(int n) {
    static double a[MOST], b[MOST], c[MOST], m[3][MOST], tall[MOST][3];
    static float f[MOST], g[MOST];
    static int h[MOST], k[MOST];
    static long u[MOST], v[MOST];
    static unsigned w[MOST];
    static unsigned char x[MOST], y[MOST], z[MOST];
    static short q[MOST];
    for (int i = 0; i < MOST; i++) {
        a[i] = (i * 37 % 101) / 64.0 - 0.5;
        b[i] = c[i] = i % 3;
        f[i] = (i * 7919 % 10007) / 8.0f;
        h[i] = i * 31 % 17 - 5;
        u[i] = v[i] = i * 13 % 29;
        w[i] = i * 2654435761u;
        x[i] = i * 7;
        q[i] = i * 11;
        for (int r = 0; r < 3; r++) m[r][i] = tall[i][r] = (i + r) % 5;
    }
    inclusive(n, a, b), sum_up(n, b);
    total += exclusive(n, a, b, 2.5), sum_up(n, b);
    greatest(n, f, g, 3), least(n, h, k), bits(n, x, y, z);
    for (int i = 0; i < n; i++) total += g[i] + k[i] + y[i] * 2 + z[i] * 3;
    total += counted(n, h, k);
    for (int i = 0; i < n; i++) total += k[i] % 13;
    total += offsets(n, h);
    for (int i = 0; i < n; i++) total += h[i] % 11;
    for (int i = 0; i < n; i++) h[i] = (i * 31 + h[i]) % 17 - 5;
    total += kept(n, h, k), add_up(n, k);
    static int pairs[MOST + 2][2], counts[MOST + 256];
    total += places(n, 1, h, pairs), add_up(2 * n, pairs[0]);
    halves(n, h, k, counts), add_up(n, k), add_up(n, counts);
    total += last_of_each(n, h, counts), add_up(n, counts);
    total += by_another(n, h, counts), add_up(n, counts);
    around(n, h, counts), add_up(n < 256 ? n : 256, counts);
    both(n, h, counts), add_up(n, counts);
    total += changed(n, h, counts), add_up(n, counts);
    static long from[40000], to[40000];
    for (int i = 0; i < 40000; i++) from[i] = i % 5 - 1;
    if (n == MOST) many(40000, from, to);
    for (int i = 0; i < 40000; i++) total += to[i] % 7;
    by_element(n, a, b), sum_up(n, b);
    backwards(n, u, v);
    for (int i = 0; i < n; i++) total += v[i] % 7;
    every_third(n, w), small(n, q);
    if (n == MOST) pascal(300, w);
    for (int i = 0; i < n; i++) total += w[i] % 5 + q[i];
    for (int i = 0; i < n; i++) b[i] = i % 3 == 0 ? 2 : i % 3 == 1 ? 0.5 : 1;
    factors(n, b, c), sum_up(n, c);
    row_of(3, n, 1, (double(*)[n])m), sum_up(n, m[0]), sum_up(n, m[1]);
    column_of(n, 3, 2, tall), sum_up(3 * n, tall[0]);
    stepped(3, n, a, b), sum_up(n, a), sum_up(n, b);
    and_more(n, a, b, c), sum_up(n, b), sum_up(n, c);
    two(n, a, b, c), sum_up(n, b), sum_up(n, c);
    squared(n, w);
    for (int i = 0; i < n; i++) total += w[i] % 5;
    from_two(n, b, a), sum_up(n, b);
    by_itself(n, a, b), sum_up(n, b);
    set_back(n, a, b), sum_up(n, b);
    twice(n, a, b), sum_up(n, b);
    changed_between(n, a, b), sum_up(n, b);
    last_wins(n, a, b), sum_up(n, b);
    for (int i = 0; i < n; i++) b[i] = (i % 11) * 0.25;
    in_place(n, b), sum_up(n, b);
}

int main(void) {
    static const int sizes[] = {0, 1, 2, 256, 257, 1025, MOST};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        total = 0;
        all(sizes[i]);
        printf("%.6g\n", total);
    }
    return 0;
}
