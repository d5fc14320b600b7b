#include <string.h>

static double plane[40][60], before[40][60];

void step(int n, int m, double *u, double *next, float *rows, const float *old)
{
    for (int t = 0; t < n; t++) {
        memset(plane, 0, sizeof plane);
        memcpy(u, next, (n + 1) * sizeof(double));
        memcpy(rows + m, &old[m], sizeof(float) * (n - 2) * m);
        memcpy(before[3], plane[5], 60 * sizeof **plane);
        memset(u, 1, n * sizeof *u);
        memcpy(rows, u, n * sizeof *u);
    }
}

void alone(int n, double *u, const double *next)
{
    memcpy(u, next, 4 * sizeof *u);
    memcpy(u, next, n * sizeof *u);
}
