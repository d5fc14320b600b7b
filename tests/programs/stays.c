/* What regions leave on the device for each other, and all the ways in which the host uses it in between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 500

typedef struct {
    int n, now;
    double dt;
    double *e, *h;
} Grid;

static double field[N], other[N];
static int marks[N];

static void update_h(Grid *g) {
    for (int i = 0; i < g->n - 1; i++)
        g->h[i] += g->dt * (g->e[i + 1] - g->e[i]);
}

static void update_e(Grid *g) {
    for (int i = 1; i < g->n - 1; i++)
        g->e[i] += g->dt * (g->h[i] - g->h[i - 1]);
}

static double source(int t) { return t < 20 ? t * (20 - t) * 0.0625 : 0.0; }

/* Seldom: what is shown comes home then, and stays where it is. */
static void show(const Grid *g) {
    if (g->now % 16 != 0)
        return;
    for (int k = 40; k < 70; k += 10)
        printf("%.6f ", g->e[k]); // decline: `printf` cannot be called on the device
    printf("at %d\n", g->now);
}

static void halve(int n, double *x) {
    for (int i = 0; i < n; i++)
        x[i] *= 0.5;
}

static void raise(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

static double first_of(const double *x) { return x[0]; } // decline: the host reads an element

/* Comes back in the middle of an expression that reads what it wrote. */
static double halved(int n, double *x) {
    halve(n, x);
    return x[n - 1];
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void conditions(int n) {
    for (int t = 0; field[3] > 0.01 && t < n; t++) // decline: does not compare the loop's counter
        halve(N, field);
    printf("%g\n", field[3]);
    halve(N, field);
    while (field[4] > 0.001) // decline: the host reads an element
        halve(N, field);
    do
        raise(N, field, other);
    while (first_of(other) < 0.02);
    printf("%g %g\n", field[4], other[0]);
}

static void choices(int n) {
    for (int t = 0; t < n; t++) {
        halve(N, other);
        switch (t % 4) { // decline: `switch` inside a parallel loop
        case 0:
            other[2] += 4.0;
            break;
        case 1:
            halve(N, other);
        default:
            field[5] += t;
        }
        if (t == 3)
            memcpy(field, other, sizeof field / 2);
        else if (t == 5)
            qsort(other, N, sizeof *other, ascending);
        if (t % 2)
            field[t] = other[t + 1];
        raise(N, field, other);
        other[6] += halved(N / 2, other + 7) * field[1];
        other[7] = halved(N, other);
    }
    printf("%.9f %.9f %.9f %.9f\n", other[2], other[6], other[7], field[5]);
}

/* The same memory from other addresses, in other lengths, and under another name. */
static void views(double *x, double *y) {
    for (int t = 1; t < 5; t++) {
        halve(100 * t, x);
        raise(50, x + 10 * t, y);
        halve(20, x + 15);
        double *z = x;
        x = y;
        y = z;
        x[t] += y[2 * t];
    }
    printf("%.9f %.9f\n", x[20], y[20]);
}

/* Memory is given back, and comes again at the same place with something else in it. */
static double again(int n) {
    double sum = 0;
    for (int t = 0; t < 4; t++) {
        double *x = malloc(n * sizeof *x);
        for (int i = 0; i < n; i++)
            x[i] = i % 7 + t;
        halve(n, x);
        halve(n, x);
        x = realloc(x, 2 * n * sizeof *x);
        x[n] = x[n - 1];
        raise(n, x + 1, other);
        sum += x[n / 2] + x[n];
        free(x);
    }
    return sum;
}

static void mark(int n, int *m, int by) {
    for (int i = 0; i < n; i++) // decline: most of this would run in order, by one thread
        m[i] += by;
}

/* Sizes and numbers that regions write are read by calls. */
static void sizes(void) {
    int own[40] = {0};
    for (int t = 0; t < 3; t++) {
        mark(N, marks, marks[3] + 1);
        mark(40, own, marks[1]);
        mark(marks[2] % N, marks, own[t]);
    }
    printf("%d %d %d\n", marks[0], marks[N - 1], own[5]);
}

int main(void) {
    Grid g = {1000, 0, 0.5, calloc(1000, sizeof(double)), calloc(1000, sizeof(double))};
    if (!g.e || !g.h)
        return 1;
    for (g.now = 0; g.now < 50; g.now++) {
        update_h(&g);
        update_e(&g);
        g.e[50] += source(g.now);
        show(&g);
    }
    for (int i = 0; i < N; i++)
        field[i] = i % 10 + 1.0;
    conditions(20);
    choices(8);
    views(field, other);
    printf("%.9f\n", again(N));
    sizes();
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += field[i] + 2 * other[i];
    printf("%.6f %.6f\n", sum, g.e[60]);
    free(g.e);
    free(g.h);
    return 0;
}
