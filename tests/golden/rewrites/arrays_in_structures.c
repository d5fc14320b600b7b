struct grid { int n; double *u, *planes[2]; };

void relax(struct grid *g, int n) {
    for (int i = 0; i < n; i++)
        g->u[i] = 0.5 * g->planes[1][i];
}

struct point { int id; double *at; struct { float *x, (*y)[3]; int n; } own; };
struct points { int n; struct point *all; };

void rows(struct points *p, int m, double *sums) {
    for (int i = 0; i < p->n; i++) {
        for (int k = 0; k < m; k++)
            sums[i] += p->all[i].at[k] + p->all[0].at[k] + p->all[i].own.x[k];
        p->all[i].id = i;
    }
}

/* One pointer alone is an array; one that moves is none. */
void one(struct point *p, int m) {
    for (int k = 0; k < m; k++)
        p[2].at[k] = p[3].own.y[k][1];
}
