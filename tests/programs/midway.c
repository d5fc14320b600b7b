// Loops that end by what they compute, whose rest goes to the device when a thousand of their turns have not ended them:
// buffers that change places, one of two planes by a number, a counter, a step of two, a counter that picks what is done.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 40

static double plane[2][N], history[5000], weight[N], first[N];

static double larger(double a, double b) { return a > b ? a : b; }

static int exchanged(int n, double tolerance, double *x, double *y) {
    int count = 0;
    double change;
    do {
        change = 0;
        for (int i = 1; i < n - 1; i++) {
            y[i] = 0.5 * (x[i - 1] + x[i + 1]);
            double d = fabs(y[i] - x[i]);
            if (d > change) change = d;
        }
        double *t = x;
        x = y;
        y = t;
        count++;
    } while (change > tolerance);
    return count;
}

static int alternating(int n, double tolerance) {
    int current = 0, t = 0, seen = 0;
    double error = 1, scale = 1;
    while (error > tolerance && t < 1500) {
        error = 0;
        for (int i = 1; i < n - 1; i++) {
            plane[1 - current][i] = 0.25 * (plane[current][i - 1] + 2 * plane[current][i] + plane[current][i + 1]);
            error += fabs(plane[1 - current][i] - plane[current][i]);
        }
        if (t % 100 == 0) {
            history[seen] = error;
            seen++;
        }
        for (int i = 0; i < n; i++) weight[i] += (t % 3) * scale;
        current = 1 - current;
        scale *= 0.999;
        t++;
    }
    return 10 * t + current;
}

static int counted(int n, int most, double eps, double *x, double *y) {
    int it;
    for (it = 1; it <= most; it++) {
        double change = 0;
        for (int i = 1; i < n - 1; i++) {
            double d = 0.5 * (x[i - 1] + x[i + 1]) - x[i];
            change = larger(change, fabs(d));
            y[i] = x[i] + d;
        }
        for (int i = 1; i < n - 1; i++) x[i] = y[i];
        if (change < eps) break;
    }
    return it;
}

static int by_twos(int n, int from, double eps, double *x) {
    int done = 0;
    for (int k = from + 1; k < 2400; k += 2) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            x[i] *= 1 - 1.0 / (k + 1);
            sum += x[i];
        }
        done = k;
        if (sum < eps) break;
    }
    return done;
}

static int picked(double eps, double *u, double *v) {
    int t;
    double e;
    for (t = 0; t < 1300; t++) {
        if (t == 0)
            for (int i = 0; i < N; i++) {
                u[i] = i % 4;
                first[i] = i;
            }
        for (int i = 1; i < N - 1; i++) v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
        e = 0;
        for (int i = 1; i < N - 1; i++) {
            e += fabs(v[i] - u[i]);
            u[i] = v[i] + (t % 7 == 3 ? 1e-9 * first[i] : 0);
        }
        history[t] = e;
        if (e < eps) break;
    }
    return t;
}

int main(void) {
    double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y), sum = 0;
    x[0] = y[0] = 1;
    int a = exchanged(N, 5e-5, x, y);
    for (int i = 0; i < N; i++) {
        sum += x[i] * i + y[i];
        plane[0][i] = plane[1][i] = i % 5;
    }
    int b = alternating(N, 1e-12);
    for (int i = 0; i < N; i++) sum += plane[0][i] * i + plane[1][i] + weight[i];
    for (int i = 0; i < 15; i++) sum += history[i];
    for (int i = 0; i < N; i++) x[i] = y[i] = i % 7;
    int c = counted(N, 100000, 2e-3, x, y);
    int d = by_twos(N, 2, 1e-7, x);
    for (int i = 0; i < N; i++) sum += x[i] * i + y[i];
    int e = picked(1e-9, x, y);
    for (int i = 0; i < N; i++) sum += x[i] * i + y[i];
    for (int i = 0; i < e; i++) sum += history[i];
    printf("%d %d %d %d %d %.9g\n", a, b, c, d, e, sum);
    free(x);
    free(y);
    return 0;
}
