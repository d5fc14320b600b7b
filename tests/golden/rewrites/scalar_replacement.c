struct pair { double re, im; };

void conjugate(int n, struct pair *u, struct pair *v) {
    for (int i = 0; i < n; i++) {
        struct pair w = u[i];
        w.im = -w.im;
        v[i] = w;
    }
}

struct vec { float x, y; };
struct state { unsigned s[2]; struct vec at; };

struct vec sum(struct vec a, struct vec b) { return (struct vec){a.x + b.x, .y = a.y + b.y}; }
struct vec twice(struct vec a) {
    struct vec r = {2 * a.x};
    r.y = 2 * a.y;
    return r;
}

void turn(int n, struct vec *u) {
    for (int i = 0; i < n; i++)
        u[i] = (struct vec){u[i].y, -u[i].x};
}

void accumulate(int n, int m, struct vec *u, struct vec *v) {
    for (int i = 0; i < n; i++) {
        struct vec s = {0};
        for (int j = 0; j < m; j++)
            s = sum(s, twice(u[j]));
        v[i] = s;
    }
}

unsigned draw(struct state *r) { return r->s[0] = 3 * r->s[0] + r->s[1]; }

void own_state(int n, struct state *all, unsigned *out) {
    for (int i = 0; i < n; i++) {
        struct state r = {i, 7, .at = {1}};
        struct state other = all[i];
        out[i] = draw(&r) + draw(&other) + (unsigned)r.at.x;
        all[i] = other;
    }
}

struct entry {
    double key, value;
};

/* An array of structures that each iteration has for itself; one that is given away stays. */
void sorted(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
        struct entry p[2][2];
        for (int k = 0; k < 4; k++) {
            p[k / 2][k % 2].key = a[i + k];
            p[k / 2][k % 2].value = k;
        }
        if (p[0][0].key > p[1][1].key) {
            struct entry s = p[0][0];
            p[0][0] = p[1][1];
            p[1][1] = s;
        }
        b[i] = p[0][0].value + p[1][1].key;
    }
}

double of(const struct entry *p);

void given(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
        struct entry p[2], q;
        p[0].key = p[0].value = q.key = a[i];
        q.value = i;
        struct entry r = q;
        b[i] = of(p) + of(&r);
    }
}

/* Long arrays in structures. */
struct point { double at[100]; struct { short mark, marks[2][70]; } own; };

double norm(struct point p) {
    double s = 0;
    for (int k = 0; k < 100; k++)
        s += p.at[k] * p.at[k];
    return s;
}
double twice_norm(struct point p) { return 2 * norm(p); }

void keep(int n, struct point *to, struct point *from, double *norms) {
    for (int i = 0; i < n; i++) {
        norms[i] = twice_norm(from[i]);
        to[i] = from[i];
    }
}
