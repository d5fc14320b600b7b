/* Structures as values: literals of them, functions that take and return them, arrays in them, generators of random numbers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 300
#endif

typedef struct {
    float x, y, z;
} Vec;

typedef struct {
    Vec at, v, force;
    float mass;
} Part;

typedef struct {
    int n;
    Part *part;
} System;

typedef struct {
    uint64_t s[4];
} Xoshiro;

typedef struct {
    uint64_t state, inc;
} Pcg;

typedef struct {
    uint32_t a, b, c, d;
} Shift;

typedef struct {
    float m[2][2];
} Matrix;

typedef struct {
    float lo, hi;
    double sum;
    int n;
} Range;

typedef struct {
    int n;
    Xoshiro *each;
    double *x;
} Model;

typedef uint8_t u8;

static Vec added(Vec a, Vec b) {
    Vec r = {a.x + b.x, a.y + b.y, a.z + b.z};
    return r;
}
static Vec difference(Vec a, Vec b) { return (Vec){a.x - b.x, a.y - b.y, .z = a.z - b.z}; }
static Vec scaled(Vec a, float k) {
    Vec r;
    r.x = a.x * k;
    r.y = a.y * k;
    r.z = a.z * k;
    return r;
}
static float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static Matrix product(Matrix a, Matrix b) {
    Matrix c;
    for (int i = 0; i < 2; i++)  // decline: its work, 12 statement instances
        for (int j = 0; j < 2; j++) {
            c.m[i][j] = 0;
            for (int k = 0; k < 2; k++)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
        }
    return c;
}

static uint64_t rotated(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static double drawn(Xoshiro *r) {
    uint64_t *s = r->s;
    const uint64_t result = s[0] + s[3], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 45);
    return (result >> 11) * 0x1.0p-53;
}

static Pcg seeded(uint64_t s, uint64_t inc) {
    Pcg r;
    r.state = s * 6364136223846793005ull + inc;
    r.inc = (inc << 1) | 1;
    return r;
}

static uint32_t permuted(Pcg *r) {
    uint64_t old = r->state;
    r->state = old * 6364136223846793005ull + r->inc;
    uint32_t x = (uint32_t)(((old >> 18u) ^ old) >> 27u), turn = (uint32_t)(old >> 59u);
    return (x >> turn) | (x << ((-turn) & 31));
}

static Shift next(Shift s) {
    uint32_t t = s.a ^ (s.a << 11);
    s = (Shift){s.b, s.c, s.d, s.d ^ (s.d >> 19) ^ t ^ (t >> 8)};
    return s;
}

static uint64_t split(uint64_t *x) {
    uint64_t z = (*x += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    return z ^ (z >> 31);
}

static Vec at[N], pull[N];
static Matrix a[N], b[N], c[N];
static Shift shift[N];
static Range range[N];
static uint64_t seed[N];
static u8 low[N];
static double out[N];

static void clear(System *s) {
    for (int i = 0; i < s->n; i++)
        s->part[i].force = (Vec){0, 0, 0};
}

static void turn(System *s) {
    for (int i = 0; i < s->n; i++) {
        s->part[i].at = (Vec){s->part[i].at.y, -s->part[i].at.x, s->part[i].at.z + s->part[i].force.x};
        Part own = s->part[i];
        own.v.x += own.mass;
        own.force = own.v;
        s->part[i] = own;
    }
}

static void step(Model *m) {
    for (int k = 0; k < m->n; k++)
        m->x[k] += drawn(&m->each[k]) - 0.5;
}

int main(void) {
    System s = {.n = N, .part = malloc(N * sizeof(Part))};
    Model model = {N, malloc(N * sizeof(Xoshiro)), calloc(N, sizeof(double))};
    for (int i = 0; i < N; i++) {
        at[i] = (Vec){i % 7, .z = i % 11};
        s.part[i] = (Part){{i % 3, 1, 2}, .v = {.y = 3}, .mass = 0.5f};
        shift[i] = (Shift){i + 1, 2 * i + 3, 77, 99};
        seed[i] = i;
        for (int j = 0; j < 4; j++)
            model.each[i].s[j] = 0x9E3779B97F4A7C15ull * (uint64_t)(4 * i + j + 1);
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                a[i].m[j][k] = i + j - k, b[i].m[j][k] = j * k + i % 3;
    }
    for (int i = 0; i < N; i++) {
        Vec sum = {0};
        for (int j = 0; j < N; j++) {
            Vec d = difference(at[j], at[i]);
            sum = added(sum, scaled(d, 1 / (dot(d, d) + 0.5f)));
        }
        pull[i] = sum;
    }
    clear(&s);
    turn(&s);
    for (int t = 0; t < 3; t++)
        step(&model);
    for (int i = 0; i < N; i++)
        c[i] = product(a[i], b[i]);
    for (int i = 0; i < N; i++) {
        Range r = {.lo = 1e30f, .hi = -1e30f};
        for (int j = 0; j < N; j++) {
            float x = at[j].x * at[i].z - j;
            if (x < r.lo)
                r.lo = x;
            if (x > r.hi)
                r.hi = x;
            r.sum += x;
            r.n++;
        }
        range[i] = r;
    }
    for (int i = 0; i < N; i++) {
        Xoshiro own;
        for (int k = 0; k < 4; k++)
            own.s[k] = seed[i] + k + 1;
        Pcg other = seeded(42, i);
        Shift third = shift[i];
        double sum = 0;
        for (int k = 0; k < 10; k++) {
            third = next(third);
            sum += drawn(&own) + permuted(&other) / 4294967296.0 + third.d / 4294967296.0;
        }
        shift[i] = third;
        out[i] = sum;
        low[i] = 3 + (u8)-(u8)split(&seed[i]);
    }
    double check = 0;
    for (int i = 0; i < N; i++)
        check += pull[i].x + pull[i].z + s.part[i].at.x + s.part[i].force.y + model.x[i] + c[i].m[1][0] + range[i].sum + out[i];
    long counts = 0;
    for (int i = 0; i < N; i++)
        counts += low[i] + shift[i].a % 3 + range[i].n + (long)range[i].hi;
    printf("%.5g %ld\n", check, counts);
    free(s.part), free(model.each), free(model.x);
    return 0;
}
