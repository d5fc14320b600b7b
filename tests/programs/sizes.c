/* Sizes that are kept in arrays: loops, conditions and subscripts name them there. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 23
#endif

static int grid[3];
static int dims[2][3];
static double u[N][N + 2][N + 4], v[N][N + 2][N + 4];
static double flux[N + 4];

typedef struct {
    int n[2];
    double *h;
} Field;

static void setup(void) {
    for (int k = 0; k < 3; k++) { // decline: is done before a call
        grid[k] = N + 2 * k;
        dims[0][k] = N + 2 * k;
        dims[1][k] = N - k;
    }
}

/* The counters are used again and again, and each time they are set before. */
static void smooth(void) {
    int i, j, k;
    for (i = 0; i < grid[0]; i++) {
        for (j = 0; j < grid[1]; j++) {
            for (k = 0; k < grid[2]; k++) {
                u[i][j][k] = 1.0 + 0.01 * ((i * 7 + j * 3 + k) % 11);
                v[i][j][k] = 0.0;
            }
        }
    }
    for (j = 1; j < grid[1] - 1; j++) {
        for (k = 1; k < grid[2] - 1; k++) {
            for (i = 1; i < grid[0] - 1; i++)
                v[i][j][k] = u[i - 1][j][k] - 2.0 * u[i][j][k] + u[i + 1][j][k];
            i = 1;
            v[i][j][k] += u[i][j - 1][k];
            i = grid[0] - 2;
            v[i][j][k] += u[i][j + 1][k];
        }
    }
    for (i = 1; i < grid[0] - 1; i++)
        for (j = 1; j < grid[1] - 1; j++)
            for (k = 1; k < grid[2] - 1; k++)
                u[i][j][k] += 0.1 * v[i][j][k];
}

/* Behind a pointer a size is there if the loops around it run. */
static void scale(int d[3], const double *a, double *b) {
    for (int k = 0; k < d[2]; k++)
        for (int j = 0; j < d[1]; j++)
            for (int i = 0; i < d[0]; i++)
                if (i + j < d[2])
                    b[(k * d[1] + j) * d[0] + i] = 2.0 * a[(k * d[1] + j) * d[0] + i] + d[0];
}

/* The table may lie in what is numbered, and the loops may not run at all. */
static void number(const int *d, int *map, int factor) {
    for (int i = 0; i < d[0]; i++) // original: overlap
        for (int j = 0; j < d[1]; j++)
            map[i * d[1] + j] = factor * (i + j);
}

static void raise(Field *f) {
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < f->n[0]; i++)
            for (int j = 0; j < f->n[1]; j++)
                f->h[i * f->n[1] + j] += 0.5;
}

/* The size of one iteration is what the one before left. */
static void grow(int *d, double *a) {
    for (int t = 0; t < 4; t++) { // decline: no loop here is parallel
        for (int i = 0; i < d[0]; i++)
            a[i] += 1.0;
        d[0] += 2;
    }
}

int main(void) {
    double sum[3] = {0.0, 0.0, 0.0};
    int *map = calloc(N * N + 2, sizeof *map);
    double *a = malloc(sizeof *a * N * N * N), *b = calloc((size_t)N * N * N, sizeof *b);
    if (!map || !a || !b)
        return 1;
    setup();
    smooth();
    for (int i = 0; i < N * N * N; i++)
        a[i] = 0.5 * (i % 13);
    scale(dims[1], a, b);
    map[0] = N;
    map[1] = N;
    number(dims[1], map + 2, 3);
    map[0] = 4;
    map[1] = 4;
    number(map, map, 1);
    number((int[]){0}, NULL, 1);
    Field f = {{N, N}, a};
    raise(&f);
    int d[1] = {3};
    grow(d, flux);
    for (int i = 0; i < grid[0]; i++)
        for (int j = 0; j < grid[1]; j++)
            sum[0] += u[i][j][(i + j) % grid[2]];
    for (int i = 0; i < N * N * N; i++)
        sum[1] += a[i] + b[i];
    for (int i = 0; i < N * N + 2; i++)
        sum[2] += map[i];
    printf("sizes %.8e %.8e %.8e %g %g\n", sum[0], sum[1], sum[2], flux[3], flux[8]);
    free(map);
    free(a);
    free(b);
    return 0;
}
