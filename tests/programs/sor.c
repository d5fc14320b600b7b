/* Successive over-relaxation for flow through a medium of varying permeability: the point before it and the row above
 * are already new. It stops when no pressure moves by more than a tolerance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 25
#endif
#ifndef M
#define M 31
#endif
#define TOLERANCE 1e-6
#define MAX_SWEEPS 300

/* The permeability between neighbours is the harmonic mean of theirs. */
static void faces(int n, int m, double k[n][m], double east[n][m], double south[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m - 1; j++)
            east[i][j] = 2.0 * k[i][j] * k[i][j + 1] / (k[i][j] + k[i][j + 1]);
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            south[i][j] = 2.0 * k[i][j] * k[i + 1][j] / (k[i][j] + k[i + 1][j]);
}

static int solve(int n, int m, double omega, double east[n][m], double south[n][m], double p[n][m]) {
    int sweeps = 0;
    double change = 1.0;
    while (change > TOLERANCE && sweeps < MAX_SWEEPS) {
        change = 0.0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double sum = east[i][j - 1] + east[i][j] + south[i - 1][j] + south[i][j];
                double flow = east[i][j - 1] * p[i][j - 1] + east[i][j] * p[i][j + 1] + south[i - 1][j] * p[i - 1][j]
                              + south[i][j] * p[i + 1][j];
                double step = omega * (flow / sum - p[i][j]);
                p[i][j] += step;
                change = fmax(change, fabs(step));
            }
        sweeps++;
    }
    return sweeps;
}

int main(void) {
    double(*k)[M] = malloc(sizeof(double[N][M])), (*p)[M] = calloc(N, sizeof *p);
    double(*east)[M] = calloc(N, sizeof *east), (*south)[M] = calloc(N, sizeof *south);
    double check = 0.0;
    if (!k || !p || !east || !south)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            k[i][j] = 1.0 + (i * 17 + j * 5) % 13;
            p[i][j] = j == 0 ? 1.0 : 0.0;
        }
    faces(N, M, k, east, south);
    int sweeps = solve(N, M, 1.6, east, south, p);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check += p[i][j] * (1 + (i + j) % 7);
    printf("sor %d sweeps, %.8e\n", sweeps, check);
    free(k);
    free(p);
    free(east);
    free(south);
    return 0;
}
