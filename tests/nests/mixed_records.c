/* Arrays of structures whose members are of several types: each type is an array of its own over the same memory. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 700, KINDS = 5, STEPS = 4 };

struct kind {
    char name[3];
    int number;
    double mass;
};

struct vector {
    double x, y, z;
};

struct particle {
    struct vector at, speed;
    float charge[2];
    int kind;
    short cell[3];
    unsigned char alive;
};

#pragma pack(push, 2)
struct packed {
    char tag;
    double weight;
    int count;
};
#pragma pack(pop)

struct aligned {
    int id;
    char a;
    _Alignas(4) char b;
};

struct world {
    int n;
    struct kind *kinds;
    struct particle all[N];
    struct {
        double total;
        long count;
    } sums[KINDS];
};

/* A member of one type is written, of others read. */
static void push(struct world *w, double dt) {
    for (int i = 0; i < w->n; i++) {
        double inverse = 1.0 / w->kinds[w->all[i].kind].mass;
        w->all[i].speed.x += dt * w->all[i].charge[0] * inverse;
        w->all[i].speed.y -= dt * w->all[i].charge[1] * inverse;
        if (w->all[i].alive) {
            w->all[i].at.x += dt * w->all[i].speed.x;
            w->all[i].at.y += dt * w->all[i].speed.y;
            w->all[i].at.z += dt * w->all[i].speed.z;
        }
    }
}

/* Other types, one loop after the other, so that what one leaves is not lost to the next. */
static void sort_in(struct world *w) {
    for (int i = 0; i < w->n; i++)
        w->all[i].cell[0] = (short)(w->all[i].at.x * 4);
    for (int i = 0; i < w->n; i++)
        w->all[i].alive = w->all[i].cell[0] > -30 && w->all[i].cell[0] < 30;
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < 2; k++)
            w->all[i].charge[k] *= w->all[i].alive ? 1.0f : 0.5f;
    for (int i = 0; i < w->n; i++)
        w->all[i].speed.z = w->all[i].cell[0] * 0.25 + w->all[i].kind;
}

static double energy(const struct particle *p, const struct kind *kinds, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += 0.5 * kinds[p[i].kind].mass * (p[i].speed.x * p[i].speed.x + p[i].speed.y * p[i].speed.y) + p[i].cell[0];
    return sum;
}

/* The compiler was told to put members elsewhere: calls find it out. */
static double odd(struct packed *p, struct aligned *a, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        p[i].weight *= 2.0;
    for (int i = 0; i < n; i++)
        sum += p[i].weight;
    for (int i = 0; i < n; i++)
        a[i].b = (char)(a[i].b + 1);
    for (int i = 0; i < n; i++)
        sum += a[i].b + a[i].a;
    return sum;
}

int main(void) {
    struct world *w = calloc(1, sizeof *w);
    struct packed *packed = malloc(N * sizeof *packed);
    struct aligned *aligned = malloc(N * sizeof *aligned);
    struct kind *kinds = malloc(KINDS * sizeof *kinds);
    if (!w || !packed || !aligned || !kinds)
        return 1;
    w->n = N;
    w->kinds = kinds;
    for (int k = 0; k < KINDS; k++) {
        kinds[k].name[0] = (char)('a' + k);
        kinds[k].number = k;
        kinds[k].mass = 1 << k;
    }
    for (int i = 0; i < N; i++) {
        struct particle *p = &w->all[i];
        p->at.x = i % 17 - 8, p->at.y = i % 5, p->at.z = 0;
        p->speed.x = i % 3, p->speed.y = -(i % 7), p->speed.z = 1;
        p->charge[0] = (float)(i % 4), p->charge[1] = (float)(i % 6) * 0.5f;
        p->kind = i % KINDS, p->alive = i % 9 != 0;
        p->cell[0] = p->cell[1] = p->cell[2] = (short)i;
        packed[i].tag = 'p', packed[i].weight = i * 0.5, packed[i].count = i;
        aligned[i].id = i, aligned[i].a = 1, aligned[i].b = (char)(i % 50);
    }
    for (int step = 0; step < STEPS; step++) {
        push(w, 0.125);
        sort_in(w);
        w->all[step].kind = (w->all[step].kind + 1) % KINDS;
        printf("%.9g\n", energy(w->all, w->kinds, w->n));
    }
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < N; i++)
            w->sums[k].total += w->all[i].kind == k ? w->all[i].at.x : 0.0;
    double x = 0, z = 0;
    long cells = 0, alive = 0;
    for (int i = 0; i < N; i++)
        x += w->all[i].at.x + w->all[i].charge[0], z += w->all[i].speed.z, cells += w->all[i].cell[0] + w->all[i].cell[2],
            alive += w->all[i].alive;
    printf("%.9g %.9g %ld %ld %.9g %.9g %c\n", x, z, cells, alive, w->sums[2].total, odd(packed, aligned, N), kinds[3].name[0]);
    free(kinds), free(aligned), free(packed), free(w);
    return 0;
}
