/* Structures with long arrays in them: handed on by value from function to function, copied as a whole, beside other numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 300
#endif
#define DIMENSIONS 70

typedef struct {
    double at[DIMENSIONS];
    int id;
} Point;

typedef struct {
    float m[9][9];
    struct {
        short first, last;
    } range;
    unsigned char marks[40];
} Tile;

static double distance(Point p, Point c) {
    double d = 0;
    for (int i = 0; i < DIMENSIONS; i++)  // decline: is called only in loops of other regions
        d = d + pow(p.at[i] - c.at[i], 2);
    return sqrt(d);
}

static int nearest(Point p, const Point *centres, int k) {
    double least = distance(p, centres[0]);
    int id = centres[0].id;
    for (int i = 1; i < k; i++) {  // decline: is called only in loops of other regions
        double d = distance(p, centres[i]);
        if (d < least) {
            least = d;
            id = centres[i].id;
        }
    }
    return id;
}

static void assign(int n, int k, Point *p, const Point *centres) {
    for (int i = 0; i < n; i++)
        p[i].id = nearest(p[i], centres, k);
}

static void keep(int k, const Point *now, Point *before, double *moved) {
    for (int i = 0; i < k; i++) {
        moved[i] = distance(before[i], now[i]);
        before[i] = now[i];
    }
}

static void reversed(int n, const Tile *from, Tile *to) {
    for (int i = 0; i < n; i++) {  // original: overlap
        to[i] = from[n - 1 - i];
        to[i].range.first++;
    }
}

int main(void) {
    int n = N, k = 7;
    Point *p = malloc(n * sizeof *p), *centres = malloc(k * sizeof *centres), *before = calloc(k, sizeof *before);
    Tile *tiles = calloc(n, sizeof *tiles), *others = calloc(n, sizeof *others);
    double *moved = malloc(k * sizeof *moved);
    long ids = 0;
    double all = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < DIMENSIONS; j++)
            p[i].at[j] = (i * 7 + j * 3) % 11;
        p[i].id = -1;
        for (int j = 0; j < 40; j++)
            tiles[i].marks[j] = i + j;
        tiles[i].m[i % 9][3] = i;
        tiles[i].range.first = i;
    }
    for (int i = 0; i < k; i++) {
        centres[i] = p[i * 40];
        centres[i].id = i + 1;
    }
    for (int t = 0; t < 2; t++) {
        assign(n, k, p, centres);
        keep(k, centres, before, moved);
    }
    reversed(n, tiles, others);
    reversed(n / 2, others + n / 4, others);
    for (int i = 0; i < n; i++) {
        ids += p[i].id * (i % 5) + others[i].range.first * 3 + others[i].marks[i % 40];
        all += others[i].m[i % 9][3];
    }
    for (int i = 0; i < k; i++)
        all += moved[i] + before[i].at[3];
    printf("%ld %.10g %d\n", ids, all, before[2].id);
    return 0;
}
