/* Assertions of which the number that the program is given chooses one to fail. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#define N 60

struct box {
    int n;
    double *of;
};

static double x[N], y[N], z[N];

static void affine(int n, double *p) {
    for (int i = 0; i < n; i++) {
        assert(i < 40);
        p[i] += i;
    }
}

static void ends(int n, int m) {
    for (int i = 0; i < n; i++) {
        x[i] *= 2;
        for (int j = 0; j < m; j++) {
            y[j] += i;
            assert(j != 7);
        }
    }
}

static void between(int n, double *p) {
    for (int i = 0; i < n; i++) x[i] += 1;
    assert(p != NULL);
    for (int i = 0; i < n; i++) y[i] += p[i];
}

static int place(const struct box *b, int i) {
    assert(b != NULL);
    assert(i >= 0 && i < b->n);
    return i;
}

static void called(int n, const struct box *b, double *p) {
    for (int i = 0; i < n; i++) p[place(b, i)] = i;
}

static void data(int n, double *p, const double *q) {
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < n; i++) {
            assert(q[i] < 1e6 && "too large");
            p[i] += q[i];
        }
}

static void steps(int n, int m, double limit) {
    double total = 0;
    for (int t = 0; t < m; t++) {
        total = 0;
        for (int i = 0; i < n; i++) x[i] += 1;
        for (int i = 0; i < n; i++) total += x[i];
        assert(total < limit);
    }
    printf("%g\n", total);
}

int main(int argc, char **argv) {
    int fails = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < N; i++) x[i] = y[i] = z[i] = i;
    struct box b = {fails == 5 ? 20 : N, x};
    printf("begun\n");
    fflush(stdout);
    affine(fails == 1 ? N : 30, x);
    ends(20, fails == 2 ? 8 : 7);
    between(N, fails == 3 ? NULL : z);
    called(30, fails == 4 ? NULL : &b, x);
    if (fails == 6) y[17] = 2e6;
    data(N, x, y);
    if (fails == 6) y[17] = 0;
    steps(N, 5, fails == 7 ? 10000 : 1e9);
    double sum = 0;
    for (int i = 0; i < N; i++) sum += x[i] + y[i];
    printf("%g\n", sum);
    return 0;
}
