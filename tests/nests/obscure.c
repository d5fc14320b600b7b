/* Functions that hold C which is not modelled: what it names is wanted behind the loops, and nothing else. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };

struct particle {
    double x, y, speed;
    long tag, cell;
};

struct pair {
    int *from;
    int value;
};

static int value_of(struct pair p) { return p.from[0] + p.value; }

static void force(struct particle p, const double *field, double *fx, double *fy) {
    double here = field[(long)p.x];
    *fx = here * p.speed;
    *fy = here + p.tag;
}

static int last(int n, int *a) {
    int i, last = 0, *p;
    for (i = 0; i < n; i++) {
        p = a;
        last = 2 * i;
        p[i] = last + 1;
    }
    return value_of((struct pair){ a, last });
}

/* A label brings control back. */
static int again(int n, int *a, const int *b) {
    int i, *p, round = 0;
again:
    for (i = 0; i < n; i++) {
        p = a;
        p[i] += b[i] + round;
    }
    if (++round < 3) goto again;
    return a[n - 1];
}

/* The pointer is wanted by C that is not modelled. */
static int by_address(int n, int *a, int *b) {
    int i, *p = b, **to = &p;
    for (i = 0; i < n; i++) {
        p = a;  // decline: a pointer or aggregate is used as a value here
        p[i] += 3;
    }
    return value_of((struct pair){ *to, i });
}

int main(int argc, char **argv) {
    struct particle *particles = malloc(N * sizeof *particles), *p;
    double *field = malloc(N * sizeof *field), fx, fy, ax, ay;
    int a[N], b[N], i, t, n = N - argc + 1;
    struct pair known = (struct pair){ b, n };
    for (i = 0; i < N; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
        field[i] = 0.5 * (i % 3);
    }
    for (i = 0; i < n; i++) {
        particles[i].x = i % 50;
        particles[i].y = 1;
        particles[i].speed = i % 4;
    }
    for (i = 0; i < n; i++) {
        particles[i].tag = i % 9;
        particles[i].cell = 0;
    }
    for (t = 0; t < 3; t++) {
        for (i = 0; i < n; i++) {
            p = particles;
            fx = 0.0;
            fy = 0.0;
            force(p[i], field, &fx, &fy);
            ax = 0.5 * fx;
            ay = 0.5 * fy;
            p[i].x = p[i].x + p[i].speed + ax > 100 ? 0 : p[i].x + 1 + ax;
            p[i].y += ay;
            p[i].speed = p[i].speed + 1 > 4 ? 0 : p[i].speed + 1;
        }
    }
    printf("%g %g %d %d %d %d\n", particles[5].x, particles[7].y, last(n, a), again(n, a, b), by_address(n, a, b),
           value_of(known));
    free(particles);
    free(field);
    return argc > 5 ? atoi(argv[5]) : 0;
}
