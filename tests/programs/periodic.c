/* Neighbours across the ends of a grid, in the ways that people write them: by remainders, by helpers, by choices; read and
   written, of rows behind pointers and of one array. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define SIDE 48

static int grid[SIDE][SIDE], next[SIDE][SIDE];

static int mod(int a, int b) { int r = a % b; return r < 0 ? r + b : r; }
static int wrap(int i, int n) {
    if (i < 0) return i + n;
    if (i >= n) return i - n;
    return i;
}
static int up(int i, int n) { int r = i % n; if (r < 0) r += n; return r; }
static int twice(int i, int n) { return ((i % n) + n) % n; }

static void remainders(int n, double **a, double **b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[(i + 1) % n][j] + a[(i - 1 + n) % n][j] + a[i][(j + 1) % n] + a[i][(j + n - 1) % n];
}
static void helpers(int n, double **a, double **b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[mod(i + 1, n)][j] + a[wrap(i - 1, n)][j] - a[i][up(j + 1, n)] * a[i][twice(j - 1, n)];
}
static void choices(int n, double **a, double **b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int ip = i == n - 1 ? 0 : i + 1, im = i == 0 ? n - 1 : i - 1, jp = (j + 1) % n, jm = up(j - 1, n);
            b[i][j] = a[ip][j] + a[im][j] + a[i][jp] + a[i][jm];
        }
}
static void flat(size_t nx, size_t ny, const double *restrict f, double *restrict g) {
    for (size_t x = 0; x < nx; x++)
        for (size_t y = 0; y < ny; y++) {
            size_t xp = (x + 1) % nx, xm = (x + nx - 1) % nx, yp = (y + 1) % ny, ym = (y + ny - 1) % ny;
            g[x * ny + y] = f[xm * ny + y] + f[xp * ny + y] - f[x * ny + ym] * f[x * ny + yp];
        }
}
static void pushed(int nx, int ny, const double *restrict f, double *restrict g) {
    for (int x = 0; x < nx; x++)
        for (int y = 0; y < ny; y++) g[((x + 1) % nx) * ny + mod(y - 1, ny)] = f[x * ny + y];
}
static void life(int n, char **a, char **b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int k = -1; k <= 1; k++)
                for (int l = -1; l <= 1; l++)
                    if (k || l) s += a[(i + k + n) % n][(j + l + n) % n];
            b[i][j] = s == 3 || (s == 2 && a[i][j]);
        }
}
static void known(void) {
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int s = grid[mod(i - 1, SIDE)][j] + grid[(i + 1) % SIDE][j] + grid[i][up(j - 1, SIDE)] + grid[i][(j + 1) % SIDE];
            next[i][j] = s == 3 || (s == 2 && grid[i][j]);
        }
    memcpy(grid, next, sizeof grid);
}
static void steps(int n, int t_end, double **a, double **b) {
    for (int t = 0; t < t_end; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) b[i][j] = 0.5 * (a[mod(i + 1, n)][j] + a[mod(i - 1, n)][j]);
        double **c = a;
        a = b;
        b = c;
    }
}

int main(void) {
    for (int n = 1; n < 40; n += 19) {
        double **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b), s = 0, t = 0;
        char **c = malloc(n * sizeof *c), **d = malloc(n * sizeof *d);
        double *x = malloc(n * n * sizeof *x), *y = malloc(n * n * sizeof *y);
        for (int i = 0; i < n; i++) {
            a[i] = malloc(n * sizeof **a), b[i] = malloc(n * sizeof **b), c[i] = malloc(n), d[i] = malloc(n);
            for (int j = 0; j < n; j++) {
                a[i][j] = i * j % 7, b[i][j] = 0, c[i][j] = i * j % 3 == 1, d[i][j] = 0;
                x[i * n + j] = (i + j) % 13, y[i * n + j] = 0;
            }
        }
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) grid[i][j] = i * j % 3 == 1;
        remainders(n, a, b), helpers(n, b, a), choices(n, a, b), steps(n, 3, b, a);
        flat(n, n, x, y), pushed(n, n, y, x), life(n, c, d), known();
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                s += a[i][j] * (i + 1) + b[i][j] * j, t += x[i * n + j] * i - y[i * n + j] + d[i][j] * j + grid[i][j] * i;
        printf("%g %g\n", s, t);
        for (int i = 0; i < n; i++) free(a[i]), free(b[i]), free(c[i]), free(d[i]);  // decline: `free` cannot be called
        free(a), free(b), free(c), free(d), free(x), free(y);
    }
}
