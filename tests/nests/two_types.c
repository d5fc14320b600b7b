/* Members of several types that one region writes, in arrays of structures. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 257, STEPS = 3 };

struct vector {
    double x, y;
};

struct particle {
    struct vector at, speed;
    int cell[3];
    float charge[2];
    short kind;
    unsigned char alive;
    long tag;
    unsigned long counted;
    char *name;
};

struct tight {
    int k;
    float f;
};

struct twice {
    long first;
    double second;
};

#pragma pack(push, 2)
struct packed {
    char tag;
    double weight;
    int count;
};
#pragma pack(pop)

struct world {
    int n;
    struct particle *all;
    struct tight grid[N][4];
};

struct packed odd[N];
struct twice pairs[N];

/* Everything is written, nothing comes in. */
static void begin(struct world *w) {
    for (int i = 0; i < w->n; i++)
        for (int j = 0; j < 4; j++) {
            w->grid[i][j].k = i * j;
            w->grid[i][j].f = 0.5f * (i - j);
        }
}

static void fill(struct particle *all, int n) {
    for (int i = 0; i < n; i++) {
        all[i].at.x = i % 50;
        all[i].at.y = 0.25 * i;
        all[i].speed.x = i % 3;
        all[i].speed.y = 1;
        all[i].cell[0] = i % 5;
        all[i].cell[1] = 0;
        all[i].charge[i % 2] = 2;
        all[i].kind = i % 4;
        all[i].alive = i % 6 != 0;
        all[i].tag = 1000L * i;
        all[i].counted = i;
    }
}

/* Some are written under a condition; the steps stay on the device. */
static void step(struct particle *all, int n, int steps) {
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            if (all[i].alive) {
                all[i].at.x += all[i].speed.x * all[i].kind;
                all[i].cell[2] = (int)all[i].at.x;
                all[i].charge[0] += 0.5f;
                all[i].tag -= all[i].cell[2];
                if (all[i].at.x > 60) all[i].alive = 0;
            }
}

/* Some elements only, and not from the first. */
static void some(struct twice *p, int n) {
    for (int i = 3; i < n - 2; i += 2) {
        p[i].second += p[i].first;
        p[i].first = i;
    }
}

/* Each type in a loop of its own, of one region. */
static double in_turn(struct twice *p, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        p[i].first += 2;
    for (int i = 0; i < n; i++)
        p[i].second = p[i].first * 0.5;
    for (int i = 1; i < n; i++)
        p[i].first -= (long)p[i - 1].second;
    for (int i = 0; i < n; i++)
        sum += p[i].second + p[i].first;
    return sum;
}

/* Two names, which are two arrays or one. */
static void across(struct twice *to, struct twice *from, int n) {
    for (int i = 0; i < n; i++) {
        to[i].first = from[i].first + 1;
        to[i].second = from[i].second;
        from[i].second = i;
    }
}

/* Rows behind pointers. */
static void rows(struct twice **p, int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            p[i][j].first = i;  // decline: reached in a way that is not modelled
            p[i][j].second = j;
        }
}

/* Not laid out as C does: the original runs. */
static void where_they_are(struct packed *p, int n) {
    for (int i = 0; i < n; i++) {
        p[i].weight = 0.5 * i;  // original: lie elsewhere than C puts them
        p[i].count = i;
    }
}

int main(int argc, char **argv) {
    struct world w = { N - (argc > 5), NULL, { { { 0, 0 } } } };
    struct particle *all = malloc(N * sizeof *all);
    struct twice *row[3], rows_of[3][5];
    for (int i = 0; i < N; i++)
        all[i].name = argv[0];
    for (int i = 0; i < 3; i++)
        row[i] = rows_of[i];
    w.all = all;
    begin(&w);
    fill(all, w.n);
    step(all, w.n, STEPS);
    fill(all + 7, 20);
    for (int i = 0; i < N; i++) {
        pairs[i].first = i % 9;
        pairs[i].second = i;
    }
    some(pairs, w.n);
    double sum = in_turn(pairs, w.n);
    across(pairs, pairs + N / 2, N / 2);
    across(pairs, pairs, N);
    across(pairs, pairs + 1, N - 1);
    rows(row, 3, 5);
    where_they_are(odd, w.n);
    long tags = 0;
    int names = 0;
    for (int i = 0; i < N; i++) {
        tags += all[i].tag + all[i].cell[2] * (i % 3) + (all[i].alive ? (long)(4 * all[i].at.x) : 0);
        names += all[i].name == argv[0];
    }
    printf("%ld %d %g %g %g %d %g\n", tags, names, sum, pairs[5].second, odd[9].weight, w.grid[7][3].k, rows_of[2][4].second);
    free(all);
    return 0;
}
