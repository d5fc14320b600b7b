/* Assertions in loops and in what loops call: they hold here, and each loop converts, or says why it does not. */
#include <assert.h>
#include <stdio.h>
#define N 60
#define SWAP(a, b) ({ double t_ = a; a = b; b = t_; })

struct box {
    int n, m;
    double *of;
};

static double x[N], y[N], a[N][N], b[N][N];
static int at[N], count[N], mark[N];

/* Of counters and sizes. */
static void affine(int n, double *restrict p, const double *restrict q) {
    assert(n > 0 && n <= N);
    for (int i = 0; i < n; i++) {
        assert(i >= 0);
        assert(i < N);
        p[i] = q[i] + 1;
    }
    assert(n < 1000);
    for (int i = 0; i < n; i++) {
        if (i % 2 == 1) assert(i > 0);
        else p[i] += 2;
    }
}

/* At the end of a block, alone in one, alone in a loop. */
static void ends(int n, int m, double c[n][N]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            c[i][j] *= 2;
            assert(i + j < n + m);
        }
        if (i > 3) {
            assert(m > 2);
        }
        for (int j = 0; j < m; j++) assert(j < n);
    }
}

/* Either one or the other. */
static void choice(int n, int k, double *p) {
    for (int i = 0; i < n; i++) {
        assert(k == 0 || k == 1 || i < 10);
        assert((i != n) && !(k > 7));
        p[i] += k;
    }
}

/* Pointers, numbers, a flag. */
static void pointers(int n, const double *q, double *p, double eps, int flag) {
    for (int i = 0; i < n; i++) {
        assert(p != NULL);
        assert(q);
        assert(eps > 0.0);
        assert(flag & 1);
        p[i] += q[i] * eps;
    }
}

/* In a function that loops call. */
static int place(const struct box *s, int i, int j) {
    assert(i >= 0 && i < s->n);
    assert(j >= 0 && j < s->m);
    return i * s->m + j;
}

static void called(const struct box *s, double c) {
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->m; j++) s->of[place(s, i, j)] += c * (i + j);
}

static int twice(int k, int n) {
    assert(k < n);
    return 2 * k;
}

static void of_numbers(int n, double *p) {
    for (int i = 0; i < n; i++) p[i] += twice(i, n);
}

/* Of data: noted, and the original runs where one fails. */
static void positive(int n, double *p, const double *q) {
    for (int i = 0; i < n; i++) {
        assert(q[i] > -100);
        p[i] = 2 * (q[i] + 101);
    }
}

static double sum(int n, const double *p) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        assert(p[i] == p[i]);
        s += p[i];
    }
    return s;
}

/* Between nests, and of what the host counts. */
static void steps(int n, int m, double c[n][N], double d[n][N]) {
    int done = 0;
    for (int t = 0; t < m; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) d[i][j] = 0.5 * (c[i - 1][j] + c[i][j + 1]);
        assert(t < 100);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                assert(d[i][j] < 1e9);
                c[i][j] = d[i][j];
            }
        done++;
        assert(done <= m);
    }
}

/* Behind the assertion lies memory of nobody. */
static void gather(int n, const int *from, const double *q, double *p) {
    for (int i = 0; i < n; i++) {
        int k = from[i];
        assert(k >= 0 && k < n);
        p[i] = q[k];
    }
}

/* Under a condition on data, of a call, of what a loop leaves in its counter. */
static int small(double v) {
    return v < 1000;
}

static void mixed(int n, double *p, double *q) {
    int i;
    for (i = 0; i < n; i++) {
        if (q[i] > 0) {
            assert(i < n);
            p[i] += 1;
            q[i] += 2;
        }
        assert(small(p[i]));
    }
    assert(i == n);
    for (i = 0; i < n; i++) {
        if (i == 5) continue;
        assert(i < 5 || i > 5);
        double v = p[i];
        do {
            v += 1;
            assert(n > 0);
        } while (v < 3);
        q[i] = v;
    }
}

/* GNU's statement expressions. */
static void swaps(int n, double *p, double *q) {
    for (int i = 0; i < n; i++) SWAP(p[i], q[i]);
}

static void set(void) {
    for (int i = 0; i < N; i++) {
        x[i] = i % 7;
        y[i] = i % 5 - 2;
        at[i] = i * 7 % N;
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 3 + j * 5) % 11;
            b[i][j] = 0;
        }
    }
}

static double digest(void) {
    double s = 0;
    for (int i = 0; i < N; i++) {
        s += x[i] * (i + 1) + y[i];
        for (int j = 0; j < N; j++) s += a[i][j] * (j % 3 + 1) + b[i][j];
    }
    return s;
}

int main(void) {
    struct box s = {N - 4, N, &b[0][0]};
    set();
    affine(N - 3, x, y);
    ends(N, N - 7, a);
    choice(N, 1, x);
    choice(9, 5, y);
    pointers(N - 1, x, y, 0.5, 3);
    called(&s, 2);
    of_numbers(N, x);
    steps(N, 4, a, b);
    gather(N, at, x, y);
    mixed(N, x, y);
    swaps(N - 2, x, y);
    printf("%.10g %.10g\n", digest(), sum(N, x));
    for (int i = 0; i < N; i++) y[i] = 2 * (i % 3) - 100 + 1;
    for (int i = 0; i < N; i++) y[i] += 64 - y[i];
    positive(N, x, y);
    printf("%.10g\n", digest());
    return count[3] + mark[2];
}
