/* Shallow water on a grid that is a structure: sizes, spacing and fields are its members, and loops use them there. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef M
#define M 29
#endif
#ifndef STEPS
#define STEPS 6
#endif

enum { HEIGHT, SPEED_X, SPEED_Y, FIELDS };

typedef struct {
    int n, m;
    double dx, dt;
    double *u[FIELDS];
} Grid;

static void init(Grid *g) {
    g->n = N;
    g->m = M;
    g->dx = 1.0 / N;
    g->dt = 0.2 * g->dx;
    for (int k = 0; k < FIELDS; k++) {
        g->u[k] = calloc((size_t)N * M, sizeof *g->u[k]);
        if (!g->u[k])
            exit(1);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            g->u[HEIGHT][i * M + j] = 1.0 + 0.01 * ((i * 3 + j * 7) % 19);
}

/* Every use goes through the structure. */
static void speeds(Grid *g) {
    for (int i = 1; i < g->n; i++)
        for (int j = 1; j < g->m; j++) {
            g->u[SPEED_X][i * g->m + j] -=
                g->dt / g->dx * (g->u[HEIGHT][i * g->m + j] - g->u[HEIGHT][(i - 1) * g->m + j]);
            g->u[SPEED_Y][i * g->m + j] -=
                g->dt / g->dx * (g->u[HEIGHT][i * g->m + j] - g->u[HEIGHT][i * g->m + j - 1]);
        }
}

/* The fields are taken out of the structure first. */
static void heights(Grid *g) {
    int n = g->n, m = g->m;
    double r = g->dt / g->dx, *h = g->u[HEIGHT];
    const double *x = g->u[SPEED_X], *y = g->u[SPEED_Y];
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m - 1; j++)
            h[i * m + j] -= r * (x[(i + 1) * m + j] - x[i * m + j] + y[i * m + j + 1] - y[i * m + j]);
}

/* One field after the other. */
static void damp(const Grid *g, double factor) {
    for (int k = SPEED_X; k < FIELDS; k++) {
        double *v = g->u[k];
        for (int i = 0; i < g->n * g->m; i++)
            v[i] *= factor;
    }
}

int main(void) {
    Grid g;
    double check[FIELDS] = {0.0};
    init(&g);
    for (int t = 0; t < STEPS; t++) {
        speeds(&g);
        heights(&g);
        damp(&g, 0.99);
    }
    for (int k = 0; k < FIELDS; k++)
        for (int i = 0; i < N * M; i++)
            check[k] += g.u[k][i] * (1 + i % 7);
    printf("struct_grid %.8e %.8e %.8e\n", check[HEIGHT], check[SPEED_X], check[SPEED_Y]);
    for (int k = 0; k < FIELDS; k++)
        free(g.u[k]);
    return 0;
}
