/* States that a time loop keeps: a history with a row for every so many steps, buffers whose turn a number says, a ring
   of states, a level that changes when it was used often enough. */
#include <stdio.h>
#include <stdlib.h>
#define ROWS 24
#define COLUMNS 40

static double u[2][ROWS][COLUMNS], ring[3][ROWS * COLUMNS];
static float history[9 * 30 * 50];

static void step(int rows, int columns, const float *restrict from, float *restrict to) {
    for (int y = 1; y < rows - 1; y++)
        for (int x = 1; x < columns - 1; x++)
            to[y * columns + x] = 0.25f * (from[y * columns + x - 1] + from[y * columns + x + 1] +
                                           from[(y - 1) * columns + x] + from[(y + 1) * columns + x]);
}

static int saved(int steps, int rows, int columns, int every, float *h, float *g) {
    int n = 0;
    for (int t = 0; t < steps; t++) {
        if (t == every * n) {
            for (int y = 0; y < rows - 2; y++)
                for (int x = 0; x < columns - 2; x++)
                    history[n * (rows - 2) * (columns - 2) + (columns - 2) * y + x] = h[columns * (y + 1) + (x + 1)];
            n++;
        }
        step(rows, columns, h, g);
        for (int x = 0; x < columns; x++) {
            g[x] = g[2 * columns + x];
            g[(rows - 1) * columns + x] = g[(rows - 3) * columns + x];
        }
        step(rows, columns, g, h);
    }
    return n;
}

static int turns(int steps) {
    int now = 0, odd = 0;
    for (int t = 0; t < steps; t++) {
        for (int y = 1; y < ROWS - 1; y++)
            for (int x = 1; x < COLUMNS - 1; x++)
                u[1 - now][y][x] = 0.5 * u[now][y][x] + 0.125 * (u[now][y - 1][x] + u[now][y + 1][x] + u[now][y][x - 1] + u[now][y][x + 1]);
        if (t % 3 != 1) {
            now = 1 - now;
            odd += now;
        }
    }
    return 10 * odd + now;
}

static int around(int steps, int n) {
    int at = 0, before = 2, before_that = 1;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            ring[at][i] = 1.9 * ring[before][i] - ring[before_that][i] + 0.05 * (ring[before][i - 1] + ring[before][i + 1]);
        if (t >= 2) before_that = before;
        before = at;
        at = (at + 1) % 3;
    }
    return at;
}

static double levels(int steps, int n, double *x, const double *of) {
    int level = 0, used = 0;
    double s = 0;
    for (int t = 0; t < steps; t++) {
        if (level > 2)
            for (int i = 0; i < n; i++) x[i] *= of[level] + t;
        else
            for (int i = 0; i < n; i++) x[i] += of[level] * i;
        used++;
        if (used > 4) {
            level++;
            used = 0;
        }
    }
    for (int i = 0; i < n; i++) s += x[i];
    return s + level;
}

int main(void) {
    int rows = 30, columns = 50, steps = 17, every = 4;
    long n = (long)rows * columns;
    float *h = malloc(n * sizeof *h), *g = malloc(n * sizeof *g);
    for (int i = 0; i < n; i++) h[i] = g[i] = i * 7 % 13;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) {
            u[0][y][x] = u[1][y][x] = (y + 3 * x) % 11;
            for (int k = 0; k < 3; k++) ring[k][y * COLUMNS + x] = (y * x + k) % 5;
        }
    double x[200], of[9];
    for (int i = 0; i < 200; i++) x[i] = i % 3;
    for (int i = 0; i < 9; i++) of[i] = 1.0 / (i + 2);
    int n_saved = saved(steps, rows, columns, every, h, g), now = turns(steps), at = around(steps, ROWS * COLUMNS);
    double s = levels(21, 200, x, of), all = 0, ringed = 0;
    for (long i = 0; i < 9 * n; i++) all += history[i] * (i % 7);
    for (int i = 0; i < ROWS * COLUMNS; i++) ringed += ring[i % 3][i] + u[i % 2][i / COLUMNS][i % COLUMNS];
    printf("%d %d %d %.6g %.6g %.6g %.6g\n", n_saved, now, at, s, all, ringed, h[3 * columns + 7]);
    free(h);
    free(g);
}
