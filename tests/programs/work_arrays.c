/* Work arrays that an iteration allocates, and gives back: each iteration has one of its own. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 40
#endif

typedef float real;

struct moments {
    double sum, squares;
    int count;
};

/* A step of the heat equation, periodic along the rows, whose neighbours are gathered first. */
static int step(double **t, double **next, const int n, const double r) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double *adjacent = malloc(4 * sizeof(double));
            if (adjacent == NULL) {
                fprintf(stderr, "no memory\n");
                exit(1);
            }
            if (i == 0)
                adjacent[0] = 1.0;
            else
                adjacent[0] = t[i - 1][j];
            adjacent[1] = j == n - 1 ? t[i][0] : t[i][j + 1];
            adjacent[2] = i == n - 1 ? 0.5 : t[i + 1][j];
            if (j == 0)
                adjacent[3] = t[i][n - 1];
            else
                adjacent[3] = t[i][j - 1];
            next[i][j] = t[i][j] + r * (adjacent[0] + adjacent[1] + adjacent[2] + adjacent[3] - 4.0 * t[i][j]);
            free(adjacent);
        }
    }
    return 0;
}

/* A small histogram of each window. */
static void commonest(int n, const int *a, int *b) {
    int *count;
    for (int i = 0; i < n; i++) {
        count = (int *)calloc(8, sizeof *count);
        if (!count)
            continue;
        for (int k = 0; k < 20; k++)
            count[a[i + k] & 7]++;
        b[i] = count[3] * 100 + count[6];
        free(count);
        count = NULL;
    }
}

static real *window(const real *a, int n) {
    real *w = malloc(n * sizeof(real));
    if (!w)
        return NULL;
    for (int k = 0; k < n; k++)  // decline: is called only in loops of other regions
        w[k] = a[k] * (k + 1);
    return w;
}

static void drop(real *w) { free(w); }

static void filtered(int n, const real *a, real *b) {
    for (int i = 0; i < n; i++) {
        real *w = window(a + i, 5), *v = malloc(sizeof(real) * 5);
        assert(w && v != NULL);
        for (int k = 0; k < 5; k++)
            v[k] = w[4 - k];
        if (a[i] > 0.5f) {
            b[i] = v[0] - w[0];
            drop(w);
            free(v);
            continue;
        }
        b[i] = v[1] * w[1] + v[2];
        free(v);
        drop(w);
    }
}

static void spread(int n, const int *a, double *b) {
    for (int i = 0; i < n; i++) {
        struct moments *m = calloc(1, sizeof *m);
        double(*pairs)[2] = malloc(6 * sizeof *pairs);
        for (int k = 0; k < 6; k++) {
            pairs[k][0] = a[i + k];
            pairs[k][1] = a[i + 2 * k];
        }
        for (int k = 0; k < 6; k++) {
            m->sum += pairs[k][0] - pairs[5 - k][1];
            m->squares += pairs[k][0] * pairs[k][1];
            (*m).count++;
        }
        b[i] = m->squares / m->count - m->sum;
        free(pairs), free(m);
    }
}

struct entry {
    double key, value;
};

/* The value of the middle key of five. */
static void middle(int n, const int *a, double *b) {
    for (int i = 0; i < n; i++) {
        struct entry *e = malloc(5 * sizeof(struct entry));
        if (e == NULL)
            break;
        for (int k = 0; k < 5; k++) {
            e[k].key = a[i + k];
            e[k].value = k;
        }
        for (int k = 0; k < 3; k++)
            for (int l = k + 1; l < 5; l++)
                if (e[l].key < e[k].key) {
                    struct entry least = e[l];
                    e[l] = e[k];
                    e[k] = least;
                }
        b[i] += e[2].value;
        free(e);
    }
}

/* One array for all of a step of time, on the device while the loop runs. */
static void smooth(int steps, int n, double *u) {
    for (int t = 0; t < steps; t++) {
        double *v = malloc(n * sizeof *v);
        if (v) {
            for (int i = 1; i < n - 1; i++)
                v[i] = 0.25 * (u[i - 1] + 2.0 * u[i] + u[i + 1]);
            for (int i = 1; i < n - 1; i++)
                u[i] = v[i];
            free(v);
        }
    }
}

/* Each is there when the next one comes. */
static double *chained(int n, const double *a, double *b) {
    double *last = NULL;
    for (int i = 0; i < n; i++) {
        double *w = malloc(2 * sizeof *w);  // decline: `malloc` cannot be called on the device
        w[0] = a[i];
        w[1] = last ? last[0] : 0.0;
        b[i] = w[0] - w[1];
        free(last);
        last = w;
    }
    return last;
}

int main(void) {
    double *t[N], *next[N], u[N * N], v[N * N], sum = 0.0;
    int a[N * N + 32], b[N * N];
    real f[N * N + 8], g[N * N];
    for (int i = 0; i < N; i++) {
        t[i] = malloc(N * sizeof(double));     // decline: `malloc` cannot be called
        next[i] = malloc(N * sizeof(double));
    }
    for (int i = 0; i < N * N + 32; i++)
        a[i] = (i * 37 + i / 7) % 23;
    for (int i = 0; i < N * N + 8; i++)
        f[i] = (real)a[i] / 16;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            t[i][j] = (i * 7 + j) % 5;
    if (step(t, next, N, 0.2) != 0)
        return 1;
    commonest(N * N, a, b);
    filtered(N * N, f, g);
    spread(N * N, a, u);
    smooth(6, N * N, u);
    middle(N * N, a, u);
    free(chained(N * N, u, v));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += (next[i][j] + b[i * N + j] + g[i * N + j] + u[i * N + j] + v[i * N + j]) * (1 + (i + j) % 7);
    for (int i = 0; i < N; i++) {
        free(t[i]);                            // decline: `free` cannot be called
        free(next[i]);
    }
    printf("%.6f\n", sum);
    return 0;
}
