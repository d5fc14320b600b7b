/* Maxwell's equations in a box by finite differences in the time domain (Yee): electric and magnetic field in turn on
 * staggered points, with a source in the middle and walls of metal. Six arrays in rows written by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NX
#define NX 17
#endif
#ifndef NY
#define NY 15
#endif
#ifndef NZ
#define NZ 19
#endif
#ifndef STEPS
#define STEPS 8
#endif
#define AT(i, j, k) (((i) * ny + (j)) * nz + (k))

static void magnetic(int nx, int ny, int nz, double c, const double *ex, const double *ey, const double *ez, double *hx,
                     double *hy, double *hz) {
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny - 1; j++)
            for (int k = 0; k < nz - 1; k++)
                hx[AT(i, j, k)] += c
                                   * (ey[AT(i, j, k + 1)] - ey[AT(i, j, k)] - ez[AT(i, j + 1, k)] + ez[AT(i, j, k)]);
    for (int i = 0; i < nx - 1; i++)
        for (int j = 0; j < ny; j++)
            for (int k = 0; k < nz - 1; k++)
                hy[AT(i, j, k)] += c
                                   * (ez[AT(i + 1, j, k)] - ez[AT(i, j, k)] - ex[AT(i, j, k + 1)] + ex[AT(i, j, k)]);
    for (int i = 0; i < nx - 1; i++)
        for (int j = 0; j < ny - 1; j++)
            for (int k = 0; k < nz; k++)
                hz[AT(i, j, k)] += c
                                   * (ex[AT(i, j + 1, k)] - ex[AT(i, j, k)] - ey[AT(i + 1, j, k)] + ey[AT(i, j, k)]);
}

static void electric(int nx, int ny, int nz, double c, double *ex, double *ey, double *ez, const double *hx,
                     const double *hy, const double *hz) {
    for (int i = 0; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++)
            for (int k = 1; k < nz - 1; k++)
                ex[AT(i, j, k)] += c
                                   * (hz[AT(i, j, k)] - hz[AT(i, j - 1, k)] - hy[AT(i, j, k)] + hy[AT(i, j, k - 1)]);
    for (int i = 1; i < nx - 1; i++)
        for (int j = 0; j < ny - 1; j++)
            for (int k = 1; k < nz - 1; k++)
                ey[AT(i, j, k)] += c
                                   * (hx[AT(i, j, k)] - hx[AT(i, j, k - 1)] - hz[AT(i, j, k)] + hz[AT(i - 1, j, k)]);
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++)
            for (int k = 0; k < nz - 1; k++)
                ez[AT(i, j, k)] += c
                                   * (hy[AT(i, j, k)] - hy[AT(i - 1, j, k)] - hx[AT(i, j, k)] + hx[AT(i, j - 1, k)]);
}

int main(void) {
    int ny = NY, nz = NZ;
    size_t points = (size_t)NX * NY * NZ;
    double *field[6], check = 0.0, energy = 0.0;
    for (int f = 0; f < 6; f++) {
        field[f] = calloc(points, sizeof *field[f]);
        if (!field[f])
            return 1;
    }
    for (int t = 0; t < STEPS; t++) {
        magnetic(NX, NY, NZ, 0.5, field[0], field[1], field[2], field[3], field[4], field[5]);
        electric(NX, NY, NZ, 0.5, field[0], field[1], field[2], field[3], field[4], field[5]);
        field[2][AT(NX / 2, NY / 2, NZ / 2)] += sin(0.4 * t);
    }
    for (int f = 0; f < 6; f++)
        for (size_t i = 0; i < points; i++) {
            check += field[f][i] * (1 + i % 7);
            energy += field[f][i] * field[f][i];
        }
    printf("fdtd3d %.8e, energy %.8e\n", check, energy);
    for (int f = 0; f < 6; f++)
        free(field[f]);
    return 0;
}
