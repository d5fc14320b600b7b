/* Structures that keep a simulation's clock, its sizes and its sums beside its arrays: time loops count by members, nests read and sum
   up in them; what pointers lead to may be the same structure, or lie in an array. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1200
#endif

typedef struct {
    double t, dt;
    unsigned char phase;
    size_t ticks;
} Clock;

typedef struct {
    double x, y;
} Point;

typedef struct {
    Clock clock;
    double end, energy, limit;
    Point box, drift;
    int n, step, most;
    long hits;
    double *u, *v;
    Point *at;
} Simulation;

typedef struct {
    double x;
    int n;
} Cell;

#define NOW (s->clock.t)

static Simulation world;

static void advance(Simulation *s) {
    for (int i = 1; i < s->n - 1; i++)
        s->v[i] = s->u[i] + s->clock.dt * (s->u[i - 1] - 2 * s->u[i] + s->u[i + 1]);
    for (int i = 1; i < s->n - 1; i++)
        s->u[i] = s->v[i];
}

static void run(Simulation *s) {
    while (s->clock.t < s->end) {
        advance(s);
        s->clock.t += s->clock.dt;
        s->clock.ticks++;
    }
}

static void counted(Simulation *s) {
    for (s->step = 0; s->step < s->most; s->step++) {
        double left = 0;
        for (int i = 0; i < s->n; i++)
            s->u[i] = 0.5 * s->u[i] + 0.001 * s->step;
        for (int i = 0; i < s->n; i++)
            left += s->u[i];
        if (left < s->limit)
            break;
    }
}

static void adapted(Simulation *s) {
    do {
        s->energy = 0;
        for (int i = 0; i < s->n; i++) {
            s->energy += s->u[i] * s->u[i];
            if (s->u[i] > 0.4)
                s->hits++;
        }
        s->clock.dt = 0.5 / (1 + s->energy);
        advance(s);
        NOW += s->clock.dt;
        s->clock.phase += 100;
    } while (NOW < s->end);
}

static void wrap(Simulation *s, double dt) {
    for (int i = 0; i < s->n; i++) {  // decline: is called only in loops of other regions
        s->at[i].x += dt * s->drift.x;
        if (s->at[i].x > s->box.x)
            s->at[i].x -= s->box.x;
        s->drift.y += s->at[i].y;
    }
}

static void of_file(void) {
    while (world.clock.t < 3) {
        for (int i = 0; i < world.n; i++)
            world.u[i] += world.clock.t;
        for (int i = 1; i < world.n; i++)
            world.v[i] = world.u[i] - world.u[i - 1];
        world.clock.t += 1;
    }
}

static void of_two(Clock *a, const Clock *b, double *x, int n) {
    while (a->t < 3) {  // original: b->t and a->t overlap
        for (int i = 0; i < n; i++)
            x[i] += b->t;
        a->t += 1;
    }
}

static void in_an_array(Clock *c, double *x, int n) {
    while (c->t < 3) {  // original: x and c->t overlap
        for (int i = 0; i < n; i++)
            x[i] += 0.5;
        c->t += 1;
    }
}

static void along(const Clock *first, const Clock *then, double *x, int n) {
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++)
            x[i] += first->dt;
        first = then;
    }
}

static void bounded_by_the_first(Cell *c, double dx) {
    for (int i = 0; i < c->n; i++)
        c[i].x += dx;
}

static double sum(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * (1 + i % 5);
    return s;
}

static void show(const char *what, const Simulation *s) {
    printf("%s: %.10g %.10g %.10g %d %ld %zu %d %.10g %.10g\n", what, s->clock.t, s->clock.dt, s->energy, s->step, s->hits,
           s->clock.ticks, s->clock.phase, sum(s->u, s->n), sum(s->v, s->n));
}

int main(void) {
    Simulation *s = calloc(1, sizeof *s);
    Clock clock = {.t = 1}, other = {.t = 2, .dt = 0.25};
    double *x = calloc(N, sizeof *x);
    struct {
        double before;
        Clock clock;
    } *held = calloc(1, sizeof *held);
    s->n = N, s->most = 40, s->end = 2, s->clock.dt = 0.125, s->limit = 30;
    s->u = malloc(N * sizeof *s->u);
    s->v = calloc(N, sizeof *s->v);
    s->at = calloc(N, sizeof *s->at);
    s->box.x = 1.5, s->drift.x = 0.75;
    for (int i = 0; i < N; i++) {
        s->u[i] = i % 13 * 0.1;
        s->at[i].y = i % 3;
    }
    run(s);
    show("run", s);
    counted(s);
    show("counted", s);
    NOW = 0;
    adapted(s);
    show("adapted", s);
    for (int t = 0; t < 3; t++)
        wrap(s, 1);
    printf("wrapped: %.10g %.10g %.10g\n", s->at[7].x, s->drift.x, s->drift.y);
    world = *s;
    world.clock.t = 0;
    of_file();
    show("of file", &world);
    of_two(&clock, &other, x, N);
    clock.t = 0;
    of_two(&clock, &clock, x, N);
    printf("of two: %.10g %.10g\n", clock.t, sum(x, N));
    in_an_array(&held->clock, x, N);
    held->clock.t = 0;
    in_an_array(&held->clock, &held->before, 2);
    printf("in an array: %.10g %.10g\n", held->before, held->clock.t);
    Cell *cells = calloc(N, sizeof *cells);
    cells->n = N / 2;
    bounded_by_the_first(cells, 2.5);
    printf("bounded: %g %g\n", cells[N / 2 - 1].x, cells[N / 2].x);
    along(&clock, &other, x, N);
    printf("along: %.10g\n", sum(x, N));
    return 0;
}
