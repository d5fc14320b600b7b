/* Advection and diffusion in functions, as solvers are written: the time loop calls a step, which calls others, and every
 * few steps a norm is taken. Sizes are arguments of every function; index helpers and a stencil are functions too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 33
#endif
#ifndef M
#define M 27
#endif
#ifndef STEPS
#define STEPS 5
#endif

typedef struct {
    int n, m;
    double dx, dt;
    double *c, *flux_x, *flux_y;
} Domain;

static inline size_t at(const Domain *d, int i, int j) {
    return (size_t)i * d->m + j;
}

static double upwind(double speed, double left, double right) {
    return speed > 0.0 ? speed * left : speed * right;
}

static double laplacian(int m, double u[][m], int i, int j) {
    return u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4.0 * u[i][j];
}

static void fluxes(Domain *d, double speed) {
    for (int i = 1; i < d->n; i++)
        for (int j = 1; j < d->m; j++) {
            d->flux_x[at(d, i, j)] = upwind(speed, d->c[at(d, i - 1, j)], d->c[at(d, i, j)]);
            d->flux_y[at(d, i, j)] = upwind(-speed, d->c[at(d, i, j - 1)], d->c[at(d, i, j)]);
        }
}

static void advance(Domain *d, double speed) {
    double r = d->dt / d->dx;
    fluxes(d, speed);
    for (int i = 1; i < d->n - 1; i++)
        for (int j = 1; j < d->m - 1; j++)
            d->c[at(d, i, j)] -= r
                                 * (d->flux_x[at(d, i + 1, j)] - d->flux_x[at(d, i, j)] + d->flux_y[at(d, i, j + 1)]
                                    - d->flux_y[at(d, i, j)]);
}

static void advect(Domain *d, int steps, double speed) {
    for (int t = 0; t < steps; t++)
        advance(d, speed);
}

static void boundary(int n, int m, double u[n][m]) {
    int i, j;
    for (i = 0; i < n; i++)
        u[i][0] = u[i][m - 1] = 0.25;
    for (j = 0; j < m; j++)
        u[0][j] = u[n - 1][j] = 1.0;
}

static void diffuse(int n, int m, double r, double u[n][m], double un[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            un[i][j] = u[i][j] + r * laplacian(m, u, i, j);
    boundary(n, m, un);
}

static double norm(int n, int m, double u[n][m]) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double *row = u[i];
        for (int j = 0; j < m; j++)
            sum += row[j] * row[j];
    }
    return sqrt(sum);
}

static double heat(int n, int m, int steps, double u[n][m], double un[n][m]) {
    double largest = 0.0;
    for (int t = 0; t < steps; t++) {
        diffuse(n, m, 0.1, u, un);
        diffuse(n, m, 0.1, un, u);
        double size = norm(n, m, u);
        if (size > largest)
            largest = size;
    }
    return largest;
}

/* Told by shape in one place, flat in the other. */
static void damp(int n, int m, int steps, double *u) {
    for (int t = 0; t < steps; t++) {
        diffuse(n, m, 0.05, (double(*)[m])u, (double(*)[m])(u + n * m));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                u[i * m + j] = 0.99 * u[n * m + i * m + j];
    }
}

int main(void) {
    Domain d = {N, M, 1.0 / N, 0.2 / N, NULL, NULL, NULL};
    double(*u)[M] = malloc(sizeof(double[N][M])), (*un)[M] = malloc(sizeof(double[N][M]));
    double *both = malloc(sizeof(double) * 2 * N * M);
    double check = 0.0;
    d.c = malloc(sizeof(double) * N * M);
    d.flux_x = calloc((size_t)N * M, sizeof *d.flux_x);
    d.flux_y = calloc((size_t)N * M, sizeof *d.flux_y);
    if (!u || !un || !both || !d.c || !d.flux_x || !d.flux_y)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            u[i][j] = un[i][j] = d.c[i * M + j] = (i * 17 + j * j * 5) % 97 / 97.0;
    for (int i = 0; i < 2 * N * M; i++)
        both[i] = i % 31 / 31.0;
    advect(&d, STEPS, 0.7);
    double size = heat(N, M, STEPS, u, un);
    damp(N, M, STEPS, both);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check += (u[i][j] + d.c[i * M + j] + both[i * M + j]) * (1 + (i + j) % 7);
    printf("time_step %.10e %.10e\n", size, check);
    free(u);
    free(un);
    free(both);
    free(d.c);
    free(d.flux_x);
    free(d.flux_y);
    return 0;
}
