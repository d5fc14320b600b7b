/* Loops with loops in them whose end only the data know: in each cell, orbit, ray or row, where a thread runs them, and
 * between levels that are in order, where the host does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 97
#endif
#ifndef M
#define M 41
#endif
#define SPECIES 3
#define DIM 4
#define GRID 24

static double concentration[N][SPECIES], rate[N];
static int newton_steps[N];

/* Newton's method in each cell, with an elimination in each step. */
static void react(double dt)
{
    for (int c = 0; c < N; c++) {
        double u[SPECIES], f[SPECIES], m[SPECIES][SPECIES], size = 1;
        int it = 0;
        for (int s = 0; s < SPECIES; s++)
            u[s] = concentration[c][s];
        while (size > 1e-20 && it < 50) {
            f[0] = u[0] - concentration[c][0] - dt * (rate[c] * u[1] * u[2] - 0.04 * u[0]);
            f[1] = u[0] + u[1] + u[2] - 1;
            f[2] = u[2] - concentration[c][2] - dt * u[1] * u[1];
            m[0][0] = 1 + 0.04 * dt, m[0][1] = -dt * rate[c] * u[2], m[0][2] = -dt * rate[c] * u[1];
            m[1][0] = m[1][1] = m[1][2] = 1;
            m[2][0] = 0, m[2][1] = -2 * dt * u[1], m[2][2] = 1;
            for (int p = 0; p < SPECIES; p++)
                for (int r = p + 1; r < SPECIES; r++) {
                    double w = m[r][p] / m[p][p];
                    for (int q = p; q < SPECIES; q++)
                        m[r][q] -= w * m[p][q];
                    f[r] -= w * f[p];
                }
            size = 0;
            for (int p = SPECIES - 1; p >= 0; p--) {
                for (int q = p + 1; q < SPECIES; q++)
                    f[p] -= m[p][q] * f[q];
                f[p] /= m[p][p];
                size += f[p] * f[p];
            }
            for (int s = 0; s < SPECIES; s++)
                u[s] -= f[s];
            it++;
        }
        for (int s = 0; s < SPECIES; s++)
            concentration[c][s] = u[s];
        newton_steps[c] = it;
    }
}

static void slope(const double *s, double *d)
{
    double r2 = s[0] * s[0] + s[1] * s[1], r3 = r2 * sqrt(r2);
    d[0] = s[2];
    d[1] = s[3];
    d[2] = -s[0] / r3;
    d[3] = -s[1] / r3;
}

/* Each orbit chooses its own steps; all loops count with one variable. */
static void orbits(int n, double end, double *x, int *steps)
{
    for (int p = 0; p < n; p++) {
        double t = 0, h = 0.1, s[DIM], a[DIM], b[DIM], half[DIM], full[DIM];
        int k, n_steps = 0;
        for (k = 0; k < DIM; k++)
            s[k] = x[p * DIM + k];
        while (t < end) {
            double error = 0;
            if (t + h > end)
                h = end - t;
            slope(s, a);
            for (k = 0; k < DIM; k++)
                half[k] = s[k] + 0.5 * h * a[k];
            slope(half, b);
            for (k = 0; k < DIM; k++)
                full[k] = s[k] + h * b[k];
            for (k = 0; k < DIM; k++) {
                double e = full[k] - s[k] - h * a[k];
                error += e * e;
            }
            if (error < 1e-8) {
                for (k = 0; k < DIM; k++)
                    s[k] = full[k];
                t += h;
                n_steps++;
                h *= error < 1e-9 ? 1.5 : 1;
            } else {
                h *= 0.5;
            }
        }
        for (k = 0; k < DIM; k++)
            x[p * DIM + k] = s[k];
        steps[p] = n_steps;
    }
}

static float density[GRID][GRID][GRID], image[M][N];
static int walked[M][N];

/* Rays that walk until they are absorbed or leave, from places that are written where they are declared. */
static void rays(float step, float limit)
{
    int x, y;
    for (y = 0; y < M; y++)
        for (x = 0; x < N; x++) {
            float at[3] = {x * (GRID - 1.0f) / N, y * (GRID - 1.0f) / M}, along[3] = {0.1f, -0.05f, 1.0f}, light = 1;
            int n = 0, is_inside = 1;
            while (is_inside && light > limit) {
                int cell[3], k;
                for (k = 0; k < 3; k++) {
                    cell[k] = (int)floorf(at[k]);
                    if (cell[k] < 0 || cell[k] >= GRID)
                        is_inside = 0;
                }
                if (!is_inside)
                    break;
                light *= 1 - step * density[cell[0]][cell[1]][cell[2]];
                for (k = 0; k < 3; k++)
                    at[k] += step * along[k];
                n++;
            }
            image[y][x] = light;
            walked[y][x] = n;
        }
}

/* The first class whose share a number falls below: a search that sums on the way. */
static void classify(int n, const double *x, const double *share, int *class)
{
    for (int i = 0; i < n; i++) {
        int found = -1;
        for (int k = 0; k < 12; k++) {
            double below = 0;
            for (int j = k; j >= 0; j--)
                below += share[j];
            if (x[i] < below) {
                found = k;
                break;
            }
        }
        class[i] = found;
    }
}

/* Tighter from level to level, each from what the one before left: a loop of the host around parallel nests. */
static int relax(int n, double u[n][n], double v[n][n])
{
    int total = 0;
    double tolerance = 0.1;
    for (int level = 0; level < 4; level++) {
        double most = 1;
        while (most > tolerance) {
            most = 0;
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++) {
                    v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                    most = fmax(most, fabs(v[i][j] - u[i][j]));
                }
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    u[i][j] = v[i][j];
            total++;
        }
        tolerance /= 3;
    }
    return total;
}

int main(void)
{
    double *x = malloc(N * DIM * sizeof *x), share[12], (*u)[M] = calloc(M, sizeof *u), (*v)[M] = calloc(M, sizeof *v);
    int *steps = malloc(N * sizeof *steps), *class = malloc(N * sizeof *class);
    for (int c = 0; c < N; c++) {
        concentration[c][0] = 0.9 - 0.001 * (c % 100);
        concentration[c][1] = 0.1;
        concentration[c][2] = 0.001 * (c % 100);
        rate[c] = 10 + c % 13;
        x[c * DIM] = 1 + 0.01 * c;
        x[c * DIM + 1] = 0;
        x[c * DIM + 2] = 0.01 * (c % 10);
        x[c * DIM + 3] = 1;
    }
    for (int i = 0; i < GRID * GRID * GRID; i++)
        density[i / GRID / GRID][i / GRID % GRID][i % GRID] = 0.02f * (i * 7 % 11);
    for (int i = 0; i < M; i++)
        u[0][i] = v[0][i] = 1;
    for (int k = 0; k < 12; k++)
        share[k] = (k + 1) / 78.0;
    react(0.1);
    orbits(N, 1.0, x, steps);
    rays(0.5f, 0.05f);
    classify(N, concentration[0], share, class);
    int total = relax(M, u, v);
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += concentration[i][0] + newton_steps[i] + x[i * DIM] + steps[i] + image[M / 2][i] + walked[M / 2][i] + class[i];
    printf("%.9f %d %.9f\n", sum, total, u[M / 2][M / 3]);
    free(x);
    free(u);
    free(v);
    free(steps);
    free(class);
    return 0;
}
