/* The lid-driven cavity: flow in a box whose lid moves, by vorticity and stream function. Each step takes the stream
 * function from the vorticity by Jacobi sweeps, and the vorticity on the walls from the stream function, and moves the
 * vorticity on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 23
#endif
#ifndef STEPS
#define STEPS 6
#endif
#define SWEEPS 4

static void stream_function(int n, double h, double psi[n][n], double next[n][n], double w[n][n]) {
    for (int s = 0; s < SWEEPS; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i][j] =
                    0.25 * (psi[i - 1][j] + psi[i + 1][j] + psi[i][j - 1] + psi[i][j + 1] + h * h * w[i][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                psi[i][j] = next[i][j];
    }
}

/* The lid is the last row. */
static void walls(int n, double h, double lid, double psi[n][n], double w[n][n]) {
    for (int k = 1; k < n - 1; k++) {
        w[0][k] = -2.0 * psi[1][k] / (h * h);
        w[n - 1][k] = -2.0 * psi[n - 2][k] / (h * h) - 2.0 * lid / h;
        w[k][0] = -2.0 * psi[k][1] / (h * h);
        w[k][n - 1] = -2.0 * psi[k][n - 2] / (h * h);
    }
}

static void transport(int n, double h, double dt, double nu, double psi[n][n], double w[n][n], double next[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double u = (psi[i + 1][j] - psi[i - 1][j]) / (2.0 * h), v = (psi[i][j - 1] - psi[i][j + 1]) / (2.0 * h);
            double carried = u * (w[i][j + 1] - w[i][j - 1]) / (2.0 * h) + v * (w[i + 1][j] - w[i - 1][j]) / (2.0 * h);
            double spread = (w[i - 1][j] + w[i + 1][j] + w[i][j - 1] + w[i][j + 1] - 4.0 * w[i][j]) / (h * h);
            next[i][j] = w[i][j] + dt * (nu * spread - carried);
        }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            w[i][j] = next[i][j];
}

static void simulate(int n, int steps, double lid, double psi[n][n], double w[n][n], double next[n][n]) {
    double h = 1.0 / (n - 1), nu = 0.02, dt = 0.2 * h * h / nu;
    for (int t = 0; t < steps; t++) {
        stream_function(n, h, psi, next, w);
        walls(n, h, lid, psi, w);
        transport(n, h, dt, nu, psi, w, next);
    }
}

int main(void) {
    double(*psi)[N] = calloc(N, sizeof *psi), (*w)[N] = calloc(N, sizeof *w), (*next)[N] = calloc(N, sizeof *next);
    double check = 0.0, strongest = 0.0;
    if (!psi || !w || !next)
        return 1;
    simulate(N, STEPS, 1.0, psi, w, next);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            check += w[i][j] * (1 + (i + j) % 7);
            strongest = fmax(strongest, fabs(psi[i][j]));
        }
    printf("cavity %.8e, stream function %.8e\n", check, strongest);
    free(psi);
    free(w);
    free(next);
    return 0;
}
