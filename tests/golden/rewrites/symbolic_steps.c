void scale(int n, double a, double *x, int incx) {
    for (int i = 0; i < n * incx; i += incx)
        x[i] *= a;
}

void backward(int n, int s, double *x) {
    for (int i = n - 1; i >= 0; i -= s)
        x[i] = 0;
}

/* Subscripts are one less than the counter. */
void behind(int n, int s, double *x) {
    for (int i = n; i > 0; i = i - s)
        x[i - 1] += 2;
}

void unsigned_counters(unsigned n, unsigned s, unsigned long m, unsigned long t, double *x, double *y) {
    for (unsigned i = 0; i < n; i += s)
        x[i] = 1;
    for (unsigned long i = 1; i <= m; i += t)
        y[i] = 1;
}

struct grid {
    int n, every;
};

void member(struct grid *g, double *x) {
    int i = 0;
    while (i < g->n) {
        x[i] += 1;
        i += g->every;
    }
}

/* The counter is read behind the loop. */
int last(int n, int s, double *x) {
    int i;
    for (i = 0; i < n; i += s)
        x[i] = 1;
    return i;
}

/* The step is another one in each iteration. */
void growing(int n, double *x) {
    int s = 1;
    for (int i = 0; i < n; i += s) {
        x[i] = 1;
        s = s + 1;
    }
}

/* Columns of a matrix, of which no two rows meet. */
void columns(int n, int m, int s, double (*x)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += s)
            x[i][j] += 1;
}

/* Tiles. */
void tiles(int n, int t, double *x) {
    for (int i = 0; i < n; i += t)
        for (int k = i; k < (i + t < n ? i + t : n); k++)
            x[k] += 1;
}
