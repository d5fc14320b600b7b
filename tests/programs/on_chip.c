/* Waves in a string by the leapfrog scheme: velocities and coefficients are read and written at the own point alone, while
 * places are read at both neighbours too. Sizes that no block divides; as many steps as asked for, none included. */
#include <stdio.h>
#include <stdlib.h>

static void leap(int n, int steps, double *u, double *v, const double *c) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] += c[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] += v[i];
    }
}

/* The same with friction, until the string rests: the energy of a step is a sum. */
static int rest(int n, double *u, double *v, const double *c, double least, int most) {
    int steps = 0;
    double energy = 2.0 * least;
    while (energy > least && steps < most) {
        energy = 0.0;
        for (int i = 1; i < n - 1; i++) {
            double force = c[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
            v[i] = 0.9 * (v[i] + force);
            energy += force * force;
        }
        double moved = 0.0;
        for (int i = 1; i < n - 1; i++) {
            u[i] += v[i];
            moved += v[i] * v[i];
        }
        energy += moved;
        steps++;
    }
    return steps;
}

/* What is first written needs no load; what only some points write is another's before. */
static double smooth(int n, int steps, double *u, double *w, double *kept, const int *is_fixed) {
    double sum = 0.0;
    for (int t = 0; t < steps; t++) {
        sum = 0.0;
        for (int i = 1; i < n - 1; i++) {
            w[i] = 0.5 * (u[i - 1] + u[i + 1]);
            sum += w[i];
        }
        double changed = 0.0;
        for (int i = 1; i < n - 1; i++) {
            if (!is_fixed[i])
                kept[i] += w[i];
            u[i] = 0.5 * (u[i] + w[i]);
            changed += kept[i];
        }
        sum += changed;
    }
    return sum;
}

/* A net of springs, as rows of a sparse matrix, that every step reads. */
static double swing(int n, int steps, const int *start, const int *column, const double *value, double *u, double *v) {
    double energy = 0.0;
    for (int t = 0; t < steps; t++) {
        energy = 0.0;
        for (int i = 0; i < n; i++) {
            double force = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                force -= value[k] * u[column[k]];
            v[i] = 0.9 * (v[i] + force);
            energy += v[i] * v[i];
        }
        double moved = 0.0;
        for (int i = 0; i < n; i++) {
            u[i] += v[i];
            moved += u[i] * v[i];
        }
        energy += moved;
    }
    return energy;
}

/* Rows of three entries, fewer at the ends, and where they are uneven ten in each seventh row. */
static int net(int n, int is_uneven, int *start, int *column, double *value) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        start[i] = count;
        for (int j = i - 1; j <= i + (is_uneven && i % 7 == 0 ? 8 : 1); j++)
            if (0 <= j && j < n) {
                column[count] = j;
                value[count++] = i == j ? 0.3 : -0.02 * (1 + j % 3);
            }
    }
    start[n] = count;
    return count;
}

int main(void) {
    for (int n = 1; n < 3000; n = n * 3 + 7) {
        double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), *c = malloc(n * sizeof *c);
        double *w = malloc(n * sizeof *w), *kept = malloc(n * sizeof *kept);
        int *is_fixed = malloc(n * sizeof *is_fixed);
        int *start = malloc((n + 1) * sizeof *start), *column = malloc(10 * n * sizeof *column);
        double *value = malloc(10 * n * sizeof *value);
        if (!u || !v || !c || !w || !kept || !is_fixed || !start || !column || !value)
            return 1;
        for (int i = 0; i < n; i++) {
            u[i] = i % 7 - 3;
            v[i] = 0.0;
            c[i] = 0.1 + 0.01 * (i % 5);
            w[i] = kept[i] = i;
            is_fixed[i] = i % 3 == 0;
        }
        leap(n, n % 5, u, v, c);
        int steps = rest(n, u, v, c, 1e-3, 40);
        double sum = smooth(n, 1 + n % 4, u, w, kept, is_fixed);
        net(n, n % 2, start, column, value);
        sum += swing(n, 5, start, column, value, u, v);
        for (int i = 0; i < n; i++)
            sum += u[i] + 2.0 * v[i] + 3.0 * w[i] + kept[i];
        printf("%d points, %d steps, %.9g\n", n, steps, sum);
        free(u), free(v), free(c), free(w), free(kept), free(is_fixed);
        free(start), free(column), free(value);
    }
    return 0;
}
