/* Loops whose functions stand in other files. */
#include "grid.h"
#include <stdio.h>
#include <stdlib.h>

enum { CASE = 4 };

struct pair {
    double first, second;
};

static double factor = 2.0;

static int clamp(int i) {
    return i * 2;
}

int main(void) {
    struct grid g = {30, 20, malloc(30 * 20 * sizeof(double)), calloc(30 * 20, sizeof(double))};
    int all = g.n * g.m;
    double *w = calloc(all, sizeof *w);
    struct pair pair = {1.0, factor};
    if (!g.u || !g.v || !w)
        return 1;
    for (int i = 0; i < all; i++)
        g.u[i] = wrapped(i * 7, 13);
    for (int t = 0; t < 6; t++)
        step(&g, 0.25);
    for (int i = 0; i < all; i++)
        w[i] += rate(i * 0.25);
    for (int i = 0; i < all; i++)
        w[i] += shared(i) + clamp(i);
    for (int i = 0; i < all; i++)
        w[i] += twice(i);
    for (int i = 0; i < all; i++)
        w[i] += limited(i % 20);
    for (int i = 0; i < all; i++)
        w[i] += scaled(i);
    for (int i = 0; i < all; i++)
        w[i] += counted(i);
    for (int i = 0; i < all; i++)
        w[i] += of_pair(i) + pair.second;
    for (int i = 0; i < all; i++)
        w[i] += of_case(i) + CASE;
    for (int i = 0; i < all; i++) {
        double d;
        distance(i % 7, i % 90, &d);
        w[i] += d;
    }
    box.half = 20.0;
    for (int i = 0; i < all; i++) {
        double d;
        distance(i % 7, i % 90, &d);
        count_folded(d);
        w[i] -= 0.5 * d;
    }
    double sum = box.folded;
    for (int i = 0; i < all; i++)
        sum += g.u[i] + g.v[i] + w[i];
    printf("%.12g\n", sum);
    free(w), free(g.v), free(g.u);
    return 0;
}
