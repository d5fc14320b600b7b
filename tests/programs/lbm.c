/* Flow around a block by the lattice Boltzmann method: nine populations per point (D2Q9), which relax towards their
 * equilibrium and move to the neighbours; the edges are periodic, and the block throws them back. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 29
#endif
#ifndef M
#define M 23
#endif
#ifndef STEPS
#define STEPS 6
#endif
#define Q 9

static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double weight[Q] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

#pragma rt shape(f: 9, n, m)
static void collide(int n, int m, double omega, double force, const int *solid, double *f) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (solid[i * m + j])
                continue;
            double rho = 0.0, ux = 0.0, uy = 0.0;
            for (int q = 0; q < Q; q++) {
                double value = f[(q * n + i) * m + j];
                rho += value;
                ux += cx[q] * value;
                uy += cy[q] * value;
            }
            ux = ux / rho + force;
            uy /= rho;
            double square = 1.5 * (ux * ux + uy * uy);
            for (int q = 0; q < Q; q++) {
                double cu = 3.0 * (cx[q] * ux + cy[q] * uy);
                double equilibrium = weight[q] * rho * (1.0 + cu + 0.5 * cu * cu - square);
                f[(q * n + i) * m + j] += omega * (equilibrium - f[(q * n + i) * m + j]);
            }
        }
}

/* Each point pulls what its neighbours send. */
static void stream(int n, int m, const int *solid, const double *f, double *g) {
    for (int q = 0; q < Q; q++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int from_i = (i - cx[q] + n) % n, from_j = (j - cy[q] + m) % m;
                if (solid[from_i * m + from_j])
                    g[(q * n + i) * m + j] = f[(opposite[q] * n + i) * m + j];
                else
                    g[(q * n + i) * m + j] = f[(q * n + from_i) * m + from_j];
            }
}

int main(void) {
    double *f = malloc(sizeof(double) * Q * N * M), *g = malloc(sizeof(double) * Q * N * M);
    int *solid = calloc(N * M, sizeof *solid);
    double check = 0.0, mass = 0.0;
    if (!f || !g || !solid)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            solid[i * M + j] = i > N / 4 && i < N / 3 + 2 && j > M / 3 && j < M / 2 + 2;
            for (int q = 0; q < Q; q++)
                f[(q * N + i) * M + j] = weight[q] * (1.0 + 0.01 * ((i * 3 + j * 5) % 7));
        }
    for (int t = 0; t < STEPS; t++) {
        collide(N, M, 1.2, 0.001, solid, f);
        stream(N, M, solid, f, g);
        double *other = f;
        f = g;
        g = other;
    }
    for (int i = 0; i < Q * N * M; i++) {
        mass += f[i];
        check += f[i] * (1 + i % 7);
    }
    printf("lbm %.10e, mass %.8f\n", check, mass);
    free(f);
    free(g);
    free(solid);
    return 0;
}
