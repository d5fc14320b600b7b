// Time loops that say how far they are: a few numbers when they are due, the arrays stay on the device.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, STEPS = 30 };

static double plate[N][N], next[N][N];

// A step number, a reduction's result, single elements.
static int relax(double limit) {
    int step = 0;
    double change;
    do {
        change = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                next[i][j] = 0.25 * (plate[i - 1][j] + plate[i + 1][j] + plate[i][j - 1] + plate[i][j + 1]);
                change = fmax(change, fabs(next[i][j] - plate[i][j]));
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                plate[i][j] = next[i][j];
        step++;
        if (step % 20 == 0) {
            printf("step %d: change %.6g, middle %.6g, corner %g\n", step, change, plate[N / 2][N / 2], plate[0][0]);
            fflush(stdout);
        }
    } while (change > limit && step < 100);
    return step;
}

// Buffers that are exchanged, and what is printed of them.
static void diffuse(int n, int steps, double *u, double *v) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        double *old = u;
        u = v;
        v = old;
        if (t % 10 == 0 || t == steps - 1)
            printf("t = %3d  u[1] = %.8g  u[%d] = %.8g\n", t, u[1], n / 2, u[n / 2]);
    }
}

// Rows behind pointers; the row that is printed moves along.
static void march(int n, int steps, double **a) {
    for (int t = 1; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = 0.5 * a[i][j] + t;
        if (t % 4 == 0)
            printf("row %d begins with %g; row 0 stays at %g\n", t % n, a[t % n][0], a[0][0]);
    }
}

int main(void) {
    double *u = malloc(N * sizeof *u), *v = malloc(N * sizeof *v), *rows[N];
    for (int i = 0; i < N; i++) {
        u[i] = v[i] = sin(0.2 * i);
        rows[i] = malloc(N * sizeof **rows);
        for (int j = 0; j < N; j++) rows[i][j] = i + j;
        plate[0][i] = 1;
    }
    int steps = relax(1e-4);
    diffuse(N, STEPS, u, v);
    march(N, STEPS, rows);
    printf("%d %.9g %.9g %.9g\n", steps, plate[3][4], u[5] + v[6], rows[7][8]);
    return 0;
}
