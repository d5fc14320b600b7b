/* Linear congruential generators that loops draw from a fixed number of times an iteration: by remainders, Schrage's quotients,
   masks, wrapping and whole reals; in nests, between loops, from states that no step leaves, and over each other. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void remainders(int n, int *seed, int *x) {
    for (int i = 0; i < n; i++) { // original: seed and x overlap
        *seed = (106 * *seed + 1283) % 6075;
        x[i] = *seed;
    }
}

static void downward(int n, int m, long *s, double *x) {
    for (int i = n; i >= 3; i -= 3)
        for (int k = 1; k <= m; k++) {
            *s = (*s * 16807) % 2147483647;
            x[(i - 1) * 10 + k - 1] = *s / 2147483647.0;
        }
}

static uint64_t state = 99;

static void between(int n, double *x, double (*v)[3], double *y) {
    for (int i = 0; i < n; i++) {
        state = 6364136223846793005ull * state + 1442695040888963407ull;
        x[i] = (double)(state >> 33);
        for (int k = 0; k < 3; k++) {
            state = 6364136223846793005ull * state + 1442695040888963407ull;
            v[i][k] = (double)(state >> 33);
        }
        y[i] = (double)(state >> 40);
        state = 6364136223846793005ull * state + 1442695040888963407ull;
        y[i] += (double)(state >> 33);
    }
}

static long long bits48 = 0x1234abcd330ell;

static void masked(int n, double *x) {
    for (int i = 0; i < n; i++) {
        bits48 = (0x5DEECE66Dll * bits48 + 0xB) & 0xFFFFFFFFFFFFll;
        x[i] = ldexp((double)bits48, -48);
    }
}

static double uniform(int *seed) {
    const int huge = 2147483647;
    int k = *seed / 127773;
    *seed = 16807 * (*seed - k * 127773) - k * 2836;
    if (*seed < 0) *seed = *seed + huge;
    return *seed * 4.656612875E-10;
}

static double inside(int n, int seed) {
    int within = 0;
    for (int i = 0; i < n; i++) {
        double x = uniform(&seed), y = uniform(&seed);
        if (x * x + y * y <= 1) within++;
    }
    printf("%d ", seed);
    return 4.0 * within / n;
}

static double whole(double *seed) {
    double most = 2147483647.0, t = *seed;
    t = fmod(16807.0 * t, most);
    *seed = t;
    return t / most;
}

static void reals(int n, double seed, double *x) {
    for (int i = 0; i < 2 * n; i += 2) {
        x[i] = whole(&seed);
        x[i + 1] = whole(&seed);
    }
    printf("%.17g ", seed);
}

static void quotients(int n, double *x) {
    long s = 1907, product;
    for (long j = 1; j <= n; j++) {
        product = 27611 * s;
        s = product - 74383 * (long)(product / 74383);
        x[j - 1] = s / 74383.0;
    }
    printf("%ld ", s);
}

static void sometimes(int n, int seed, double *x) {
    for (int i = 0; i < n; i++) // decline: iterations depend on each other through `seed`
        if (x[i] > 0.5) {
            seed = (106 * seed + 1283) % 6075;
            x[i] = seed;
        }
    printf("%d ", seed);
}

static double sum(int n, const double *x) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * (i % 7);
    return s;
}

int main(void) {
    enum { N = 300 };
    double *x = calloc(10 * N, sizeof(double)), *y = calloc(N, sizeof(double)), (*v)[3] = calloc(N, sizeof *v);
    int *a = calloc(N, sizeof(int)), s = 5, t = -5, u = 100000;
    remainders(N, &s, a);
    remainders(N - 1, &t, a);
    printf("%d %d %d\n", s, t, a[77]);
    remainders(N - 2, &u, a);
    printf("%d %d\n", u, a[77]);
    remainders(-3, &s, a);
    a[5] = 17;
    remainders(N, a + 5, a);
    printf("%d %d %d\n", s, a[5], a[77]);
    long l = 12345;
    downward(N, 7, &l, x);
    downward(8, 0, &l, x);
    printf("%ld %.6g\n", l, sum(10 * N, x));
    between(N, x, v, y);
    printf("%.6g %.6g %.6g\n", sum(N, x), v[17][1], sum(N, y));
    masked(N, x);
    printf("%lld %.6g\n", bits48, sum(N, x));
    sometimes(N, 4, x);
    quotients(N, x);
    printf("%.6g\n", sum(N, x));
    printf("%.6g\n", inside(N, 0));
    printf("%.6g\n", inside(N, -1));
    printf("%.6g\n", inside(N, -2147483647));
    printf("%.6g\n", inside(N, 2147483647));
    printf("%.6g\n", inside(N, 123456789));
    reals(N, 331, x);
    printf("%.6g\n", sum(2 * N, x));
    reals(N, 0.5, x);
    printf("%.6g\n", sum(2 * N, x));
    reals(N, -7.25, x);
    printf("%.6g\n", sum(2 * N, x));
    reals(N, 1e12, x);
    printf("%.6g\n", sum(2 * N, x));
    return 0;
}
