struct point { double x, y, z; };

void move(int n, struct point *p, double dt) {
    for (int i = 0; i < n; i++)
        p[i].y += dt * p[i].x;
}

/* One member leads elsewhere. */
struct node { double value; struct node *next; };

void through(int n, struct node *p) {
    for (int i = 0; i < n; i++)
        p[i].value = p[i].next->value;
}

struct tally { double sum; long hits; int n; } total;

void single(struct tally *t, const double *x) {
    for (int i = 0; i < t->n; i++) {
        t->sum += x[i];
        total.hits += x[i] > 1;
    }
}

void bound(struct tally *all, const double *x) {
    for (int i = 0; i < total.n; i++)
        all[i].sum = x[i] + total.hits;
}

struct clock { double t, dt; };
struct simulation { struct clock clock; double end, *u; struct point box, *at; int n; };

void time_loop(struct simulation *s) {
    while (s->clock.t < s->end) {
        for (int i = 0; i < s->n; i++)
            s->u[i] += s->clock.dt;
        s->clock.t += s->clock.dt;
    }
}

void beside(struct simulation *s) {
    for (int i = 0; i < s->n; i++)
        s->at[i].x -= s->box.x;
}

void own_bound(struct tally *t) {
    for (int i = 0; i < t->n; i++)
        t[i].sum += 1;
}

/* The pointer moves. */
void moved(struct node *p, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        p->value += x[i];
        p = p->next;
    }
}
