/* Maxima and minima by `m > x ? m : x`, which take what follows the last NaN: with NaN at the start, at the end, everywhere and
 * nowhere, beside zeros of both signs. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 1500
#endif
#define M 20
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Signs of zeros count; of NaN there are many. */
static void print(const char *name, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        printf(" %s nan", name);
    else
        printf(" %s %llx", name, (unsigned long long)bits);
}

static double greatest(int n, const double *a, double m) {
    for (int i = 0; i < n; i++)
        m = MAX(m, a[i]);
    return m;
}

static float least(int n, const float *a, float m) {
    for (int i = n - 1; i >= 0; i -= 2)
        m = MIN(m, a[i]);
    return m;
}

/* The first of equal values, under a condition, and counters and values of the whole function. */
static double first(int n, const double *a, const int *is_in, double m) {
    int i;
    double d;
    for (i = 0; i < n; i++) {
        if (is_in[i] == 0)
            continue;
        d = a[i] * 2;
        m = m >= d ? m : d;
    }
    return m;
}

/* Both, beside a sum, and a value that is stored. */
static double both(int n, const double *a, double *kept, double *range) {
    double low = a[0], high = a[0], sum = 0;
    for (int i = 0; i < n; i++) {
        kept[i] = a[i] - 0.25;
        if (kept[i] > 0)
            sum += 0.5;
        high = MAX(high, kept[i]);
        low = MIN(low, kept[i]);
    }
    range[0] = low;
    range[1] = high;
    return sum;
}

static void into_element(int n, const float *a, float *m) {
    for (int i = 0; i < n; i++)
        *m = MAX(*m, a[i]);
}

static double by_threads(int n, const double *a) {
    double m = 0;
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++)
        m = MAX(m, fabs(a[i]));
    return m;
}

/* Of each row, in a variable and in an element. */
static void of_rows(int n, int k, double a[n][k], double *high, double *low) {
    for (int i = 0; i < n; i++) {
        double m = a[i][0];
        for (int j = 1; j < k; j++)
            m = MAX(m, a[i][j]);
        high[i] = m;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            low[i] = MIN(low[i], a[i][j]);
}

/* Of rows of any length, and of all of them. */
static double uneven(int n, const int *start, const double *a, double *high) {
    double m = -1;
    for (int i = 0; i < n; i++) {
        double own = -1;
        for (int k = start[i]; k < start[i + 1]; k++)
            own = MAX(own, a[k]);
        high[i] = own;
    }
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            m = MAX(m, a[k]);
    return m;
}

/* A row at a time: of what the loop within it comes to. */
static double of_sums(int n, int k, double a[n][k], double m) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < k; j++)
            sum += a[i][j] > 0 ? 0.5 : a[i][j];
        m = MAX(m, sum);
    }
    return m;
}

/* Where NaN is taken for convergence, unless a number follows it. */
static int relax(int n, double u[n][n], double v[n][n], double tolerance, int most, double *left) {
    double change = 2 * tolerance;
    int step = 0;
    for (; step < most && change > tolerance; step++) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                change = MAX(change, fabs(v[i][j] - u[i][j]));
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = v[i][j];
    }
    *left = change;
    return step;
}

int main(void) {
    static double a[N], kept[N], high[N], low[N], u[M][M], v[M][M];
    static float f[N];
    static int is_in[N], start[M + 1];
    for (int i = 0; i < N; i++)
        is_in[i] = i % 3 != 1;
    for (int i = 0; i <= M; i++)
        start[i] = i * i * (N - 10) / (M * M) + i % 5;
    for (int round = 0; round < 9; round++) {
        for (int i = 0; i < N; i++) {
            a[i] = (i * 37 + round) % 101 - 50.0;
            // Nothing but zeros, of both signs.
            if (round == 3 || round == 4)
                a[i] = i % 7 ? 0.0 : -0.0;
        }
        if (round == 1)
            a[0] = NAN;
        if (round == 2)
            a[N - 1] = a[N - 2] = NAN;
        if (round == 4)
            a[N / 2] = a[N - 5] = NAN, a[N - 1] = -0.0;
        if (round == 5)
            a[9] = a[400] = a[401] = a[N / 2] = a[N - 100] = NAN;
        for (int i = 0; i < N; i++)
            a[i] = round == 6 ? NAN : round == 7 ? a[i] - 200 : a[i];
        for (int i = 0; i < N; i++)
            f[i] = (float)a[i];
        double m = round == 7 ? NAN : round < 3 ? -1000 : -0.0;
        int n = round == 8 ? 0 : N;
        printf("%d", round);
        print("greatest", greatest(n, a, m));
        print("least", least(n, f, -(float)m));
        print("first", first(n, a, is_in, m));
        double range[2];
        print("sum", both(n, a, kept, range));
        print("low", range[0]);
        print("high", range[1]);
        float of_element = (float)m;
        into_element(n, f, &of_element);
        print("element", of_element);
        print("threads", by_threads(n, a));
        for (int i = 0; i < N; i++)
            low[i] = i % 5 ? 3 : NAN;
        of_rows(n / 50, 50, (void *)a, high, low);
        for (int i = 0; i < N / 50; i++) {
            print("", high[i]); // decline: this call cannot be part of a region
            print("", low[i]);
        }
        print("uneven", uneven(M, start, a, high));
        for (int i = 0; i < M; i++)
            print("", high[i]); // decline: this call cannot be part of a region
        print("sums", of_sums(n / 30, 30, (void *)a, -1e9));
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++)
                u[i][j] = v[i][j] = i == 0 ? 1 : j == 0 ? -1 : 0;
        if (round == 1)
            u[1][1] = NAN;
        if (round == 2)
            u[M - 1][M - 2] = NAN;
        if (round == 5)
            u[0][M / 2] = NAN;
        double left;
        printf(" steps %d", relax(M, u, v, 1e-3, 12, &left));
        print("left", left);
        printf("\n");
    }
    return 0;
}
