/* Structures with pointers that functions take by value: read through the user's own, or, where the function writes, left alone. */
#include <stdio.h>

#ifndef N
#define N 3000
#endif

typedef struct {
    float *values;
    float dx, most;
    int n;
} Table;

typedef struct {
    int steps;
    Table table;
} Params;

static float values[512], shifted[512], tau[N], e[N], d[N];
static Table seen;

static float interpolated(Table table, float x) {
    if (x > table.most)
        return 1.0f;
    int at = (int)(x / table.dx);
    float slope = table.values[2 * at], offset = table.values[2 * at + 1];
    return slope * x + offset;
}

static float entry(Table t, int k) { return t.values[k % t.n] * t.dx; }

/* A member, one behind a pointer, a variable. */
static void looked_up(Params params, const Params *p, int n) {
    Table own = params.table;
    own.dx = 2 * own.dx;
    for (int g = 0; g < n; g++)
        e[g] = interpolated(params.table, tau[g]) + interpolated(p->table, 0.5f * tau[g]);
    for (int g = 0; g < n; g++)
        d[g] = entry(p->table, g) - entry(own, g + 1);
}

/* The copy moves on its own, and the user's stays. */
static float moved(Table t, int k) {
    t.values = t.values + 1;
    t.n = t.n - 1;
    return t.values[k % t.n];
}

/* What the copy leads to is the user's. */
static void filled(Table t, int k) {
    t.values[k] = 0.25f * k;
    t.n = k;
}

/* The user's changes while the copy keeps what it was. */
static float kept(Table t, int k) {
    seen.n = 1 + k % 7;
    return t.values[k % t.n];
}

static void written(Table t, int n) {
    for (int g = 0; g < n; g++)
        e[g] += moved(t, g); // decline: `moved` cannot be called on the device
    for (int g = 0; g < 100; g++)
        filled(t, g); // decline: `filled` cannot be called on the device
    for (int g = 0; g < n; g++)
        d[g] += kept(seen, g); // decline: `kept` cannot be called on the device
}

int main(void) {
    for (int k = 0; k < 512; k++) {
        values[k] = 0.01f * k;
        shifted[k] = 1 - 0.02f * k;
    }
    for (int g = 0; g < N; g++)
        tau[g] = 0.001f * g;
    Table first = {values, 0.02f, 2.5f, 500}, second = {shifted, 0.5f, 2.0f, 90};
    Params params = {3, first}, others = {4, second};
    seen = first;
    looked_up(params, &params, N);
    looked_up(others, &params, N / 2);
    written(first, N);
    double sum = 0;
    for (int g = 0; g < N; g++)
        sum += e[g] - 2.0 * d[g];
    printf("%.6g %d %d\n", sum, first.n, seen.n);
    return 0;
}
