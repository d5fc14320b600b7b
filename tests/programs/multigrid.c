/* Poisson's equation on a square by V-cycles: damped Jacobi sweeps on each of several grids, each with half the cells
 * of the one before; residuals go down by full weighting, corrections come up by interpolation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef COARSEST
#define COARSEST 3
#endif
#ifndef LEVELS
#define LEVELS 4
#endif
#ifndef CYCLES
#define CYCLES 3
#endif

/* The grids of all levels; `t` is for residuals and for the next sweep. */
static double *u[LEVELS], *f[LEVELS], *t[LEVELS];

static int size(int level) {
    return (COARSEST << (LEVELS - 1 - level)) + 1;
}

static void smooth(int n, int sweeps, double *v, const double *b, double *w) {
    double h2 = 1.0 / ((n - 1) * (n - 1));
    for (int s = 0; s < sweeps; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                double around = v[(i - 1) * n + j] + v[(i + 1) * n + j] + v[i * n + j - 1] + v[i * n + j + 1];
                w[i * n + j] = v[i * n + j] + 0.8 * (0.25 * (around + h2 * b[i * n + j]) - v[i * n + j]);
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = w[i * n + j];
    }
}

static void residual(int n, const double *v, const double *b, double *r) {
    double h2 = 1.0 / ((n - 1) * (n - 1));
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            r[i * n + j] = b[i * n + j]
                           - (4.0 * v[i * n + j] - v[(i - 1) * n + j] - v[(i + 1) * n + j] - v[i * n + j - 1]
                              - v[i * n + j + 1])
                                 / h2;
}

/* From n points to nc = (n + 1) / 2 per side. */
static void restriction(int n, const double *r, double *coarse) {
    int nc = (n + 1) / 2;
    for (int i = 1; i < nc - 1; i++)
        for (int j = 1; j < nc - 1; j++)
            coarse[i * nc + j] = 0.25 * r[2 * i * n + 2 * j]
                                 + 0.125 * (r[(2 * i - 1) * n + 2 * j] + r[(2 * i + 1) * n + 2 * j])
                                 + 0.125 * (r[2 * i * n + 2 * j - 1] + r[2 * i * n + 2 * j + 1])
                                 + 0.0625 * (r[(2 * i - 1) * n + 2 * j - 1] + r[(2 * i - 1) * n + 2 * j + 1])
                                 + 0.0625 * (r[(2 * i + 1) * n + 2 * j - 1] + r[(2 * i + 1) * n + 2 * j + 1]);
}

/* Adds the correction of nc points per side to a grid of n = 2 nc - 1. */
static void prolongation(int nc, const double *coarse, double *v) {
    int n = 2 * nc - 1;
    for (int i = 0; i < nc - 1; i++)
        for (int j = 0; j < nc - 1; j++) {
            double a = coarse[i * nc + j], b = coarse[i * nc + j + 1];
            double c = coarse[(i + 1) * nc + j], d = coarse[(i + 1) * nc + j + 1];
            v[2 * i * n + 2 * j] += a;
            v[2 * i * n + 2 * j + 1] += 0.5 * (a + b);
            v[(2 * i + 1) * n + 2 * j] += 0.5 * (a + c);
            v[(2 * i + 1) * n + 2 * j + 1] += 0.25 * (a + b + c + d);
        }
}

static void cycle(int level) {
    int n = size(level);
    if (level == LEVELS - 1) {
        smooth(n, 20, u[level], f[level], t[level]);
        return;
    }
    smooth(n, 2, u[level], f[level], t[level]);
    residual(n, u[level], f[level], t[level]);
    restriction(n, t[level], f[level + 1]);
    int nc = size(level + 1);
    for (int i = 0; i < nc * nc; i++)
        u[level + 1][i] = 0.0;
    cycle(level + 1);
    prolongation(nc, u[level + 1], u[level]);
    smooth(n, 2, u[level], f[level], t[level]);
}

static double norm(int n, const double *r) {
    double sum = 0.0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            sum += r[i * n + j] * r[i * n + j];
    return sqrt(sum) / n;
}

int main(void) {
    int n = size(0);
    double check = 0.0;
    for (int level = 0; level < LEVELS; level++) {
        size_t points = (size_t)size(level) * size(level);
        u[level] = calloc(points, sizeof(double));
        f[level] = calloc(points, sizeof(double));
        t[level] = calloc(points, sizeof(double));
        if (!u[level] || !f[level] || !t[level])
            return 1;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            f[0][i * n + j] = (i * 5 + j * 3) % 13 - 6.0;
    printf("multigrid");
    for (int c = 0; c < CYCLES; c++) {
        cycle(0);
        residual(n, u[0], f[0], t[0]);
        printf(" %.6e", norm(n, t[0]));
    }
    for (int i = 0; i < n * n; i++)
        check += u[0][i] * (1 + i % 7);
    printf(", %.8e\n", check);
    for (int level = 0; level < LEVELS; level++) {
        free(u[level]);
        free(f[level]);
        free(t[level]);
    }
    return 0;
}
