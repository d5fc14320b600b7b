/* Counters of functions that loops open, whose names others have: a value that is kept for later has a name of its own. */
#include <stdio.h>

#define N 60

static int row[N + 1], col[4 * N];
static double a[4 * N], x[N], y[N];
static int count;

static void start(void) {
    int j, k;
    for (j = 0; j <= N; j++)
        row[j] = 4 * j;
    for (j = 0; j < N; j++)
        for (k = row[j]; k < row[j + 1]; k++)
            col[k] = k * 7 % N;
    for (j = 0; j < 4 * N; j++)
        a[j] = 0.25 * (j % 13);
    for (j = 0; j < N; j++)
        x[j] = 1.0 + j % 3;
}

/* The host counts to `most`, which the threads may not: what `k` is at the end of a row is handed on in between. */
static void sweep(const int *from, double *rest) {
    int j, k, first, last;
    int it, most = 3;
    double s, d;
    count++;
    for (it = 1; it <= most; it++) {
        for (j = 0; j < N; j++) {
            first = from[j];
            last = from[j + 1];
            s = 0.0;
            for (k = first; k < last; k++)
                s += a[k] * x[col[k]];
            y[j] = s;
        }
        d = 0.0;
        for (j = 0; j < N; j++)
            d += y[j] * x[j];
        for (j = 0; j < N; j++)
            x[j] = (int)(y[j] + d) % 8 + 0.5;
    }
    for (j = 0; j < N; j++) {
        first = from[j];
        last = from[j + 1];
        d = 0.0;
        for (k = first; k < last; k++)
            d += a[k] * x[col[k]];
        y[j] = d;
    }
    s = 0.0;
    for (j = 0; j < N; j++) {
        d = x[j] - y[j];
        s += d * d;
    }
    *rest = s;
}

/* The same names once more on the way down. */
static double twice(int k) {
    int it, j;
    double rest = 0.0, all = 0.0;
    for (it = 0; it < k; it++) {
        sweep(row, &rest);
        all += rest;
        for (j = 0; j < N; j++)
            x[j] += 0.25 * y[j];
    }
    return all;
}

/* A parameter counts, and what it was is read before. */
static float counted(int k, int n) {
    int j, it, most = 2;
    float s = 0.0f;
    for (it = 0; it < most; it++) {
        for (j = 0; j < n; j++) {
            int first = row[j], last = row[j + 1];
            float t = 0.0f;
            for (k = first; k < last; k++)
                t += (float)a[k];
            y[j] = t;
        }
        s = 0.0f;
        for (j = 0; j < n; j++)
            s += (float)y[j];
    }
    return s;
}

int main(void) {
    int it, j, k;
    double rest = 0.0, sum = 0.0;
    start();
    for (it = 1; it <= 3; it++) {
        sweep(row, &rest);
        for (j = 0; j < N; j++)
            x[j] = 0.5 * x[j] + 1.0;
        sum += rest;
    }
    k = it;
    sum += twice(2);
    for (it = 0; it < 2; it++) {
        for (j = 0; j < N; j++)
            x[j] += y[j];
        sum += counted(k, N);
    }
    printf("%d %d %d %.9g %.9g\n", it, k, count, x[7], sum);
    return 0;
}
