/* Forces of particles: a sum of each particle's own beside totals of all of them, over neighbours that only the data count. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 150
#endif
#define MAX 24

typedef struct {
    double x, y;
} point;

static int n_near[N], near[N * MAX], start[N + 1];
static double x[N], charge[N], g[N], h[N];
static float xf[N], gf[N];
static point p[N], f[N];

static void init(void) {
    start[0] = 0;
    for (int i = 0; i < N; i++) {
        n_near[i] = i * 7 % MAX;
        start[i + 1] = start[i] + n_near[i];
        x[i] = (i * 37 % 101) * 0.25;
        xf[i] = (float)x[i];
        charge[i] = 1 + i % 3;
        p[i].x = x[i];
        p[i].y = (i * 53 % 97) * 0.5;
    }
    for (int i = 0; i < N * MAX; i++)
        near[i] = (i * 13 + i / MAX * 5) % N;
}

/* One total, one sum of a row. */
static double energy(int n, int max, const int *nn, const int *nbr, const double *x, double *g) {
    double e = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < nn[i]; k++) {
            int j = nbr[i * max + k];
            double d = x[i] - x[j];
            e += 0.5 * d * d;
            s += d;
        }
        g[i] = s;
    }
    return e;
}

/* The same in OpenMP: several totals, a cutoff, lists one behind the other, what others point to. */
static void totals(int n, const int *start, const int *nbr, const double *x, const double *q, double *g, double *e,
                   double *virial, int *pairs, double *largest) {
    double energy = 0, w = 0, most = 0;
    int count = 0;
#pragma omp parallel for reduction(+ : energy, w, count) reduction(max : most)
    for (int i = 0; i < n; i++) {
        double fx = 0;
        for (int k = start[i]; k < start[i + 1]; k++) {
            double d = x[i] - x[nbr[k]];
            double r2 = d * d + 0.01;
            if (r2 < 40.0) {
                double u = q[i] * q[nbr[k]] / r2;
                energy += u;
                w -= u * d;
                fx += u * d / r2;
                count++;
                if (fabs(u) > most)
                    most = fabs(u);
            }
        }
        g[i] = fx;
    }
    *e = energy;
    *virial = w;
    *pairs = count;
    *largest = most;
}

/* A total behind a pointer, a row under a condition, structures of coordinates. */
static void structures(int n, int max, const int *nn, const int *nbr, const point *p, point *f, double *e) {
    for (int i = 0; i < n; i++) {
        point s = {0, 0};
        if (nn[i] > 2)
            for (int k = 0; k < nn[i]; k++) {
                int j = nbr[i * max + k];
                double dx = p[i].x - p[j].x, dy = p[i].y - p[j].y;
                double r2 = dx * dx + dy * dy;
                if (r2 > 100.0)
                    continue;
                *e += r2;
                s.x += dx;
                s.y += dy;
            }
        f[i].x = s.x;
        f[i].y = s.y;
    }
}

/* In `float`, by a `while`, until a value is met. */
static float searched(int n, int max, const int *nn, const int *nbr, const float *x, float *g) {
    float e = 0, m = 1000;
    for (int i = 0; i < n; i++) {
        float s = 0;
        int k = 0;
        while (k < nn[i]) {
            float d = x[i] - x[nbr[i * max + k]];
            if (d > 20)
                break;
            e += d * d;
            m = fminf(m, d);
            s -= d;
            k++;
        }
        g[i] = s;
    }
    return e + m;
}

/* All pairs, once each. */
static double pairs(int n, const double *x, double *g) {
    double e = 0;
    for (int i = 0; i < n; i++)
        g[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d = x[i] - x[j];
            double r2 = d * d + 1;
            if (r2 < 60) {
                e += 1 / r2;
                g[i] += d / r2;
                g[j] -= d / r2;
            }
        }
    return e;
}

static double sum(int n, const double *v) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * (1 + i % 5);
    return s;
}

int main(void) {
    double e = 0, virial = 0, largest = 0, s = 0;
    int count = 0;
    init();
    e = energy(N, MAX, n_near, near, x, g);
    printf("energy %.8e %.8e\n", e, sum(N, g));
    totals(N, start, near, x, charge, g, &e, &virial, &count, &largest);
    printf("totals %.8e %.8e %d %.8e %.8e\n", e, virial, count, largest, sum(N, g));
    e = 3;
    structures(N, MAX, n_near, near, p, f, &e);
    for (int i = 0; i < N; i++)
        s += f[i].x * (1 + i % 3) - f[i].y;
    printf("structures %.8e %.8e\n", e, s);
    e = searched(N, MAX, n_near, near, xf, gf);
    for (int i = 0; i < N; i++)
        h[i] = gf[i];
    printf("searched %.4e %.4e\n", e, sum(N, h));
    e = pairs(N, x, g);
    printf("pairs %.8e %.8e\n", e, sum(N, g));
    return 0;
}
