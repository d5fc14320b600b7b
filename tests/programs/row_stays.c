/* Matrices of row pointers that stay on the device: several sizes, rows and tables that change places, and all the ways in
   which the host uses them in between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n, m;
    double **u, **f;
} Level;

static double **matrix(int n, int m) {
    double **a = malloc(n * sizeof *a); // decline: `malloc` is called here
    for (int i = 0; i < n; i++)
        a[i] = malloc(m * sizeof **a); // decline: `malloc` cannot be called on the device
    return a;
}

static void release(int n, double **a) {
    for (int i = 0; i < n; i++)
        free(a[i]); // decline: `free` cannot be called on the device
    free(a);
}

static void clear(int n, int m, double **a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = 0.0;
}

/* Touches no border, so that its rows would be shorter than those of the others. */
static void smooth(int n, int m, double **f, double **u, double **next) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            next[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] + f[i][j]);
}

static void border(int n, int m, double **u) {
    for (int i = 0; i < n; i++)
        u[i][0] = u[i][1], u[i][m - 1] = u[i][m - 2];
    for (int j = 0; j < m; j++)
        u[0][j] = u[1][j], u[n - 1][j] = u[n - 2][j];
}

static void coarsen(int n, int m, double **fine, double **coarse) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            coarse[i][j] = 0.5 * (fine[2 * i][2 * j] + fine[2 * i + 1][2 * j + 1]);
}

/* One row as a vector of its own, which is memory of a matrix. */
static void scale(int n, double *x, double by) {
    for (int i = 0; i < n; i++)
        x[i] *= by;
}

static double sum(int n, int m, double **a) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j] * (i + 2 * j);
    return s;
}

static void steps(Level *level, int count) {
    double **next = matrix(level->n, level->m);
    clear(level->n, level->m, next);
    for (int t = 0; t < count; t++) {
        smooth(level->n, level->m, level->f, level->u, next);
        double **old = level->u;
        level->u = next;
        next = old;
        border(level->n, level->m, level->u);
        level->f[4][t % 7] += 0.125;
        switch (t % 8) { // decline: `switch` in a region is not modelled
        case 1: {
            double *row = level->u[3];
            level->u[3] = level->u[7];
            level->u[7] = row;
            break;
        }
        case 3:
            scale(level->m, level->u[5], 1.5);
            break;
        case 4:
            memcpy(level->u[2], level->u[9], level->m * sizeof(double));
            break;
        case 6:
            free(level->u[8]);
            level->u[8] = calloc(level->m, sizeof(double));
            break;
        }
        if (t % 5 == 2)
            printf("%.9f ", level->u[6][t % 11]);
    }
    printf("\n");
    release(level->n, next);
}

int main(void) {
    Level levels[3];
    for (int l = 0; l < 3; l++) {
        int n = 80 >> l, m = 48 >> l;
        levels[l] = (Level){n, m, matrix(n, m), matrix(n, m)}; // decline: a value that is no number
        clear(n, m, levels[l].u);
        clear(n, m, levels[l].f);
    }
    for (int i = 0; i < levels[0].n; i++) // decline: this bound is not an affine expression
        for (int j = 0; j < levels[0].m; j++)
            levels[0].u[i][j] = (i * 7 + j * 3) % 11;
    for (int cycle = 0; cycle < 3; cycle++) {
        for (int l = 0; l < 3; l++) {
            steps(&levels[l], 6 + 2 * l);
            if (l < 2)
                coarsen(levels[l + 1].n, levels[l + 1].m, levels[l].u, levels[l + 1].f);
        }
        levels[0].u[cycle][cycle] = 100.0;
    }
    for (int l = 0; l < 3; l++) {
        printf("%.9f %.9f\n", sum(levels[l].n, levels[l].m, levels[l].u), sum(levels[l].n, levels[l].m, levels[l].f)); // decline: a member of a structure in an array
        release(levels[l].n, levels[l].u);
        release(levels[l].n, levels[l].f);
    }
    return 0;
}
