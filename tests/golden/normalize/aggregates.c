/* Of a structure that is copied as a whole only those members are, that somebody reads. */
struct particle {
    double x, y, charge;
    long tag;
    int cell[2];
};
struct point {
    double x, y, weight;
};

static double force(struct point p, const double *field) { return field[(int)p.x] * p.weight; }

void step(int n, struct point *all, const double *field, double *out) {
    struct point kept;
    for (int i = 0; i < n; i++) {
        struct point copy = all[i];
        kept = all[i];
        copy.y = 2;
        out[i] = force(all[i], field) + copy.weight + kept.y;
    }
}

/* All of them are wanted. */
void turn(int n, struct point *all) {
    for (int i = 0; i < n; i++) {
        struct point copy = all[i];
        all[i] = all[n + i];
        all[n + i] = copy;
    }
}
