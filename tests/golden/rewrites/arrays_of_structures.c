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
