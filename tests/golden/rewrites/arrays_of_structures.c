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
