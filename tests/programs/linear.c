/* Arrays of two and three dimensions laid out by hand in one: a[i * n + j], a[(k * ny + j) * nx + i].
 *
 * Every size is a run-time value behind a plain pointer. */
#include <stdio.h>
#include <stdlib.h>

#ifndef NX
#define NX 37
#endif
#ifndef NY
#define NY 29
#endif
#ifndef NZ
#define NZ 13
#endif

static double uniform(void) {
    static unsigned seed = 16;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

/* c = a b for square matrices stored by rows. */
static void multiply(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

/* The Laplacian of u in the interior of a box, x fastest. */
static void laplacian(int nx, int ny, int nz, const double *u, double *lap) {
    for (int k = 1; k < nz - 1; k++)
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++)
                lap[(k * ny + j) * nx + i] = u[(k * ny + j) * nx + i - 1] + u[(k * ny + j) * nx + i + 1]
                                             + u[(k * ny + j - 1) * nx + i] + u[(k * ny + j + 1) * nx + i]
                                             + u[((k - 1) * ny + j) * nx + i] + u[((k + 1) * ny + j) * nx + i]
                                             - 6.0 * u[(k * ny + j) * nx + i];
}

/* The mean over z of every column, with the planes' size written out. */
static void column_means(int nx, int ny, int nz, const double *u, double *mean) {
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            mean[j * nx + i] = 0.0;
            for (int k = 0; k < nz; k++)
                mean[j * nx + i] += u[k * nx * ny + j * nx + i];
            mean[j * nx + i] /= nz;
        }
}

static double *allocate(size_t count) {
    double *p = malloc(count * sizeof *p);
    if (!p)
        exit(1);
    for (size_t i = 0; i < count; i++)
        p[i] = uniform();
    return p;
}

static double checksum(size_t count, const double *p) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += p[i] * (1 + i % 7);
    return sum;
}

int main(void) {
    double *a = allocate(NX * NX), *b = allocate(NX * NX), *c = allocate(NX * NX);
    double *u = allocate(NX * NY * NZ), *lap = allocate(NX * NY * NZ), *mean = allocate(NX * NY);
    multiply(NX, a, b, c);
    laplacian(NX, NY, NZ, u, lap);
    column_means(NX, NY, NZ, u, mean);
    printf("linear %.10e %.10e %.10e\n", checksum(NX * NX, c), checksum(NX * NY * NZ, lap), checksum(NX * NY, mean));
    free(a);
    free(b);
    free(c);
    free(u);
    free(lap);
    free(mean);
    return 0;
}
