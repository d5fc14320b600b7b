/* Structures by themselves that loops add to, read beside an array of their type, and bound loops by; some are the same memory. */
#include <stdio.h>

#ifndef N
#define N 3000
#endif

typedef struct {
    double x, y, z;
} Point;

typedef struct {
    double energy, px;
    long hits;
    int n;
} Tally;

static Point q, p[N];
static Tally total, last;
static double out[N];

static void measure(const Point *p, Tally *t) {
    for (int i = 0; i < t->n; i++) {
        t->energy += p[i].x * p[i].x;
        t->px += p[i].y;
        if (p[i].z > 0.5)
            t->hits++;
    }
}

static void both(Tally *a, Tally *b, int n) {
    for (int i = 0; i < n; i++) {  // original: a->energy and b->energy overlap
        a->energy += out[i];
        b->energy -= 2;
    }
}

static void bounded(const Tally *to, Tally *of, double *y) {
    for (int i = 0; i < to->n; i++) {
        y[i] += to->energy;
        of[0].px += y[i];
    }
}

int main(void) {
    int n = N;
    struct {
        double x, y, z;
    } centre = {0};
    double mass = 0;
    q.x = 1, q.y = 2;
    total.n = n;
    for (int i = 0; i < n; i++) {
        p[i].x = i % 17;
        p[i].y = 2 * (i % 5);
        p[i].z = 0.25 * (i % 3);
    }
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < n; i++) {
            p[i].z += q.x;
            p[i].x -= q.y * 0.5;
        }
        q.x *= 0.5;
        measure(p, &total);
        last = total;
        for (int i = 0; i < n; i++)
            out[i] += total.energy * 0.5 + last.px + p[i].z;
        total.px *= 0.5;
        if (t == 2)
            total.n = n / 3;
        for (int i = 0; i < total.n; i++) {
            total.hits -= i % 3;
            out[i] -= total.px;
        }
    }
    for (int j = 0; j < n; j++) {
        centre.x += p[j].x * 2;
        centre.y += p[j].y;
        centre.z += p[j].z;
        mass += 2;
    }
    both(&total, &last, n);
    both(&total, &total, n);
    bounded(&last, &total, out);
    printf("%.10g %.10g %.10g %.10g\n", centre.x / mass, centre.y, centre.z, q.x);
    printf("%.10g %.10g %ld %.10g %.10g\n", total.energy, total.px, total.hits, last.energy, out[7]);
    return 0;
}
