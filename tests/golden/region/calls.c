/* Calls in a loop, opened: the parameter's name gives way to its argument, or keeps a variable where that changes. */
struct grid { int n, m; double *u, *v; double table[8][8]; };

static int at(const struct grid *g, int i, int j) { return i * g->m + j; }

static void add(int n, double *a, const double *b, double factor) {
    for (int i = 0; i < n; i++)
        a[i] += factor * b[i];
}

static double total(int n, const double *a) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

static void shrink(int n, double *a) {
    while (n > 4)
        n--;
    for (int i = 0; i < n; i++)
        a[i] = 0.0;
}

void steps(int n, int steps, double *x, double *y, double *s) {
    for (int t = 0; t < steps; t++) {
        add(n, x, y, 0.5);
        add(n - 1, y + 1, x, -1.0);
        s[t] = 2.0 * total(n, x);
    }
}

void structure(struct grid *g) {
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < g->m; j++) {
            g->u[at(g, i, j)] = g->v[at(g, i, j)] + g->table[1][2];
            (*g).table[3][j] = 1.0;
        }
}

void places(int n, double (*p)[n], double *q) {
    for (int i = 0; i < n; i++) {
        double *row = p[i], *next = q + i * n;
        for (int j = 0; j < n; j++) {
            row[j] = 1.0;
            *(next + j) += *row;
        }
    }
}

void keeps_its_own(int k, int n, double (*p)[n]) {
    for (int i = 0; i < k; i++)
        shrink(n, p[i]);
}
