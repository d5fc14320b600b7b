/* Buffers that take turns: two and three of them, exchanged by assignment or by a function, kept in local variables or in
 * a structure, in loops that count up or down, that converge, or that are left early. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 53
#endif
#ifndef STEPS
#define STEPS 7
#endif

typedef struct {
    int n;
    double *now, *next;
} Field;

static void swap(double **a, double **b) {
    double *tmp = *a;
    *a = *b;
    *b = tmp;
}

/* Three buffers: the string one step ago, now, and one step ahead. */
static double *string(int n, int steps, double *prev, double *now, double *next) {
    for (int t = 1; t <= steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = 2.0 * now[i] - prev[i] + 0.2 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        next[0] = next[n - 1] = 0.0;
        double *tmp = prev;
        prev = now;
        now = next;
        next = tmp;
    }
    return now;
}

/* The fields of a structure. */
static void field(Field *f, int steps) {
    for (int t = steps; t > 0; --t) {
        for (int i = 1; i < f->n - 1; i++)
            f->next[i] = 0.5 * (f->now[i - 1] + f->now[i + 1]) + 0.01 * t;
        swap(&f->now, &f->next);
    }
}

/* Until it changes little. */
static int relax(int n, double tolerance, double *start, double *other, double **result) {
    double *u = start, *v = other, change = 1.0;
    int it = 0;
    while (change > tolerance && it < 40) {
        change = 0.0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            change = fmax(change, fabs(v[i] - u[i]));
        }
        swap(&u, &v);
        it++;
    }
    *result = u;
    return it;
}

/* Left as soon as the exchange is done, or before it. */
static int leave(int n, double tolerance, double *u, double *v, double *out) {
    int it;
    for (it = 0; it < 40; it++) {
        double change = 0.0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.25 * (u[i - 1] + 2.0 * u[i] + u[i + 1]);
            change += fabs(v[i] - u[i]);
        }
        if (change < 0.1 * tolerance)
            break;
        swap(&u, &v);
        if (change < tolerance)
            break;
    }
    for (int i = 0; i < n; i++)
        out[i] = u[i] - v[i];
    return it;
}

int main(void) {
    static double memory[3][N], out[N];
    double *a = memory[0], *b = memory[1], *c = memory[2], *last;
    double check = 0.0;
    for (int i = 0; i < N; i++)
        a[i] = b[i] = c[i] = i * i % 13 / 13.0;
    double *w = string(N, STEPS, a, b, c);
    for (int i = 0; i < N; i++)
        check += w[i] * (1 + i % 7);
    Field f = {N, a, b};
    field(&f, STEPS);
    for (int i = 0; i < N; i++)
        check += (f.now[i] - f.next[i]) * (1 + i % 5);
    int n_relaxed = relax(N, 0.05, f.now, f.next, &last);
    for (int i = 0; i < N; i++)
        check += last[i] * (1 + i % 3);
    int n_left = leave(N, 0.05, a, c, out);
    for (int i = 0; i < N; i++)
        check += out[i] * (1 + i % 2);
    printf("buffers %d %d %d %.10e\n", n_relaxed, n_left, f.now == b, check);
    return 0;
}
