/* Truth values that loops join, in every spelling; C decides some of them before the end of the arrays. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 300
#endif

static int all_positive(int n, const double *v) {
    int all = 1;
    for (int i = 0; i < n; i++)
        all = all && v[i] > 0;
    return all;
}

static int any_negative(int n, const float *v) {
    int any = 0;
#pragma omp parallel for reduction(|| : any)
    for (int i = 0; i < n; i++)
        any = any || v[i] < 0;
    return any;
}

/* With the clause, beside other reductions. */
static double beside(int n, const double *v, bool *is_all, unsigned char *is_any) {
    bool all = true;
    unsigned char any = 0;
    double s = 0, m = -1;
#pragma omp parallel for reduction(&& : all) reduction(|| : any) reduction(+ : s) reduction(max : m)
    for (int i = 0; i < n; i++) {
        all = all && v[i] > 0 && sqrt(v[i]) < 100;
        any = v[i] > 50 || any;
        s += v[i];
        if (v[i] > m)
            m = v[i];
    }
    *is_all = all;
    *is_any = any;
    return s + m;
}

/* A number that is no truth value is one only where the loop runs. */
static int counted(int n, int all, const int *v) {
    for (int i = 0; i < n; i++)
        all = all && v[i];
    return all;
}

static int rows(int n, int m, const int *v) {
    int any = 4;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (v[i] > j)
                any = any || v[i] == j + 7;
    return any;
}

static int guarded(int n, const double *v, int *missing) {
    int all = 7, none = 0;
    for (int i = 0; i < n; i++) {
        if (all && !(v[i] > 0))
            all = 0;
        if (!none && v[i] > 1e6)
            none = 2;
    }
    *missing = none;
    return all;
}

static int flags(int n, const double *v) {
    int ok = 1, far = 0;
#pragma omp parallel for reduction(&& : ok) reduction(|| : far)
    for (int i = 0; i < n; i++) {
        if (!(v[i] > 0))
            ok = 0;
        if (v[i] > 90)
            far = 1;
    }
    return ok + 2 * far;
}

static int bits(int n, const double *v) {
    bool ok = true, any = false, odd = false;
    int parity = 0, even = 1;
    unsigned char turned = 0;
#pragma omp parallel for reduction(& : ok) reduction(| : any) reduction(^ : odd, parity)
    for (int i = 0; i < n; i++) {
        ok &= v[i] > 0;
        any |= v[i] > 90;
        odd ^= v[i] > 40;
        parity = parity != (v[i] > 30);
        even = even == (v[i] > 20);
        if (v[i] > 60)
            turned = !turned;
    }
    return ok + 2 * any + 4 * odd + 8 * parity + 16 * even + 32 * turned;
}

static double others(int n, const double *v, const int *k) {
    double p = 1, least = 1e9, s = 5;
    int common = ~0, some = 0, mixed = 0;
#pragma omp parallel for reduction(* : p) reduction(min : least) reduction(- : s) reduction(& : common) \
    reduction(| : some) reduction(^ : mixed)
    for (int i = 0; i < n; i++) {
        p *= 1 + 0.001 * v[i];
        if (v[i] < least)
            least = v[i];
        s -= v[i];
        common &= k[i] | 12;
        some |= k[i] & 5;
        mixed ^= k[i];
    }
    return p + least + s + common + some + mixed;
}

/* Each row has a truth value of its own, beside that of all. */
static int each(int n, int m, const double *a, int *row) {
    int all = 1;
    for (int i = 0; i < n; i++) {
        int own = 1;
        for (int j = 0; j < m; j++)
            own = own && a[i * m + j] > 0;
        row[i] = own;
        all = all && own;
    }
    return all;
}

/* What each iteration sets anew is its own, whatever a clause says. */
static void anew(int n, int m, const double *a, double *y) {
    double s;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        s = 0;
        for (int j = 0; j < m; j++)
            s += a[i * m + j];
        y[i] = s;
    }
}

int main(void) {
    double *v = malloc(N * sizeof *v), *y = malloc(N * sizeof *y);
    float *w = malloc(N * sizeof *w);
    int *k = malloc(N * sizeof *k), missing = 0;
    bool all = false;
    unsigned char any = 0;
    for (int i = 0; i < N; i++) {
        v[i] = 1 + i * 37 % 101;
        w[i] = (float)v[i];
        k[i] = i * 29 % 64;
    }
    for (int turn = 0; turn < 3; turn++) {
        if (turn > 0) {
            v[N / 3 * turn] = -5;
            w[N / 3 * turn] = -5;
        }
        printf("%d %d", all_positive(N, v), any_negative(N, w));
        double s = beside(N, v, &all, &any);
        printf(" %.8e %d %d", s, all, any);
        printf(" %d %d %d", counted(0, 5, k), counted(N, 5, k), counted(N, 0, k));
        printf(" %d %d", rows(N, 9, k), rows(0, 9, k));
        printf(" %d", guarded(N, v, &missing));
        printf(" %d %d %d %.8e", missing, flags(N, v), bits(N, v), others(N, v, k));
        int own = each(N / 10, 10, v, k);
        printf(" %d %d", own, k[N / 10 - 1]);
        anew(N / 10, 10, v, y);
        printf(" %.8e\n", y[N / 10 - 1]);
    }
    free(v);
    free(y);
    free(w);
    free(k);
    return 0;
}
