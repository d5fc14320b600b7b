/* A grid and its spacing kept in a structure; the loops work on what the structure holds. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 45
#endif

typedef struct {
    int nx, ny;
    double dx, dy;
    double *value;
} Grid;

struct sample {
    double weight;
    int column;
};

static Grid make_grid(int nx, int ny) {
    Grid g = {nx, ny, 1.0 / (nx - 1), 1.0 / (ny - 1), malloc(sizeof(double) * nx * ny)};
    if (!g.value)
        exit(1);
    for (int i = 0; i < nx * ny; i++)
        g.value[i] = (i * 37 % 101) / 101.0;
    return g;
}

/* The squared gradient by central differences; sizes and spacing come out of the structure first. */
static void gradient(const Grid *g, double *out) {
    const int nx = g->nx, ny = g->ny;
    const double rx = 0.5 / g->dx, ry = 0.5 / g->dy;
    const double *u = g->value;
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++) {
            double gx = (u[(i + 1) * ny + j] - u[(i - 1) * ny + j]) * rx;
            double gy = (u[i * ny + j + 1] - u[i * ny + j - 1]) * ry;
            out[i * ny + j] = gx * gx + gy * gy;
        }
}

static double weigh(const struct sample *s, int n_samples, const Grid *g) {
    double sum = 0.0;
    for (int k = 0; k < n_samples; k++)
        sum += s[k].weight * g->value[s[k].column];
    return sum;
}

int main(void) {
    Grid g = make_grid(N, M);
    double *out = calloc((size_t)N * M, sizeof *out);
    struct sample samples[3] = {{0.5, 3}, {0.25, 10}, {0.25, M}};
    double check = 0.0;
    if (!out)
        return 1;
    gradient(&g, out);
    for (int i = 0; i < N * M; i++)
        check += out[i] * (1 + i % 7);
    printf("structs %.10e %.10f\n", check, weigh(samples, 3, &g));
    free(g.value);
    free(out);
    return 0;
}
