typedef struct {
    int n, now;
    double dt;
    double *e, *h;
} Grid;
int printf(const char *, ...);
static void update_h(Grid *g) {
    for (int i = 0; i < g->n - 1; i++)
        g->h[i] += g->dt * (g->e[i + 1] - g->e[i]);
}
static void update_e(Grid *g) {
    for (int i = 1; i < g->n - 1; i++)
        g->e[i] += g->dt * (g->h[i] - g->h[i - 1]);
}
static double source(int t) { return t < 20 ? t * 0.01 : 0; }
static int ends(const Grid *g) { return g->e[0] != 0 || g->now > 90; }
static void show(const Grid *g) {
    if (g->now % 10 == 0)
        for (int k = 0; k < g->n; k += 10)
            printf("%g\n", g->e[k]);
}
void run(Grid *g, int steps) {
    for (g->now = 0; g->now < steps; g->now++) {
        update_h(g);
        update_e(g);
        g->e[g->n / 2] += source(g->now);
        show(g);
        if (ends(g))
            break;
    }
}
