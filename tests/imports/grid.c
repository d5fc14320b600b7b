/* Functions that loops of the other files call. */
#include "grid.h"
#include <math.h>

enum { CASE = 3 };
static double factor = 0.5;

struct pair {
    float first, second;
};

/* The other file has a function of this name, too. */
static int clamp(int i, int n) {
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static int odd(int x) {
    return x % 2 != 0;
}

int wrapped(int i, int n) {
    return (i % n + n) % n;
}

/* Square roots of squares: exact everywhere. */
double rate(double x) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += sqrt((x + k) * (x + k));
    return odd((int)x) ? sum : -sum;
}

double limited(double x) {
    return clamp((int)x, 9) + 0.5;
}

struct box box = {40.0, 80.0, 0};

/* A variable that all files share, read and written. */
void distance(double x, double y, double *d) {
    double dx = y - x;
    if (dx > box.half)
        dx -= box.width;
    *d = dx;
}

void count_folded(double d) {
    if (d < 0.0)
        box.folded += 1;
}

/* A variable of this file alone. */
double scaled(double x) {
    return x * factor;
}

double counted(double x) {
    static int n;
    return x + n++;
}

/* A structure that has doubles elsewhere. */
double of_pair(double x) {
    struct pair p = {(float)x, 0.25f};
    return p.first + p.second + sizeof p;
}

int of_case(int x) {
    return x + CASE;
}

double at(const struct grid *g, int i, int j) {
    return g->u[i * g->m + j];
}

void step(struct grid *g, double r) {
    int n = g->n, m = g->m;
    for (int i = HALO; i < n - HALO; i++)
        for (int j = HALO; j < m - HALO; j++)
            g->v[i * m + j] = r * (at(g, i - 1, j) + at(g, i + 1, j) + g->u[i * m + j - 1] + g->u[i * m + j + 1]);
    for (int i = HALO; i < n - HALO; i++)
        for (int j = HALO; j < m - HALO; j++)
            g->u[i * m + j] = g->v[i * m + j];
}
