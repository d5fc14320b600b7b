/* Sums over neighbours in loops of the point, by rows that the points of a thread share: vectors and single elements, whole
 * threads and those at an edge. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n_calls;
static unsigned long sum(const void *all, long n) {
    const unsigned char *at = all;
    unsigned long out = 17;
    for (long i = 0; i < n; i++)
        out = out * 31 + at[i];
    return out;
}

/* All 27 neighbours: along i, j and k. */
static void box(int n, float w[3][3][3], float (*a)[n][n], float (*b)[n][n]) {
#pragma rt skew(i: 4, j: 2, k: 4)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                float s = 0;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        for (int r = 0; r < 3; r++)
                            s += w[p][q][r] * a[i + p - 1][j + q - 1][k + r - 1];
                b[i][j][k] = s;
            }
}

/* The same of doubles, with loops from -1, and other points of a thread. */
static void box_of_doubles(int n, double w[3][3][3], double (*a)[n][n], double (*b)[n][n]) {
#pragma rt skew(i: 2, j: 4, k: 2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                double s = 1;
                for (int p = -1; p <= 1; p++)
                    for (int q = -1; q <= 1; q++)
                        for (int r = -1; r <= 1; r++)
                            s += w[p + 1][q + 1][r + 1] * a[i + p][j + q][k + r];
                b[i][j][k] = s;
            }
}

/* Five taps, of arrays that are wider than what is written. */
static void taps(int n, int m, float w[5][5], float (*a)[m + 4], float (*b)[m]) {
#pragma rt skew(i: 8, j: 2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int p = 0; p < 5; p++)
                for (int q = 0; q < 5; q++)
                    s += a[i + p][j + q] * w[p][q];
            b[i][j] = s;
        }
}

/* A loop over layers, which goes with no axis; a term that is the point's own. */
static void layers(int n, int m, int w[3][3], int (*a)[n][m], int (*b)[m]) {
#pragma rt skew(i: 4, j: 4)
    for (int i = 2; i < n - 1; i++)
        for (int j = 3; j < m - 2; j++) {
            int s = b[i][j];
            for (int c = 0; c < 3; c++)
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        s += w[p][q] * a[c][i + p - 2][j + q - 1];
            b[i][j] = 2 * s + j;
        }
}

/* Along memory alone, far and with a weight of the point's own: not where the point is outside. */
static void along(int n, int m, int w[9], int (*a)[m], int (*own)[m], int (*b)[m]) {
#pragma rt skew(j: 4)
    for (int i = 0; i < n; i++)
        for (int j = 4; j < m - 4; j++) {
            int s = 0;
            for (int q = 0; q < 9; q++)
                s += w[q] * a[i][j + q - 4] * own[i][j];
            b[i][j] = s;
        }
}

/* Both neighbours along memory, where rows may have no point inside. */
static void strip(int n, int m, int w[3][3], int (*a)[m], int (*b)[m]) {
#pragma rt skew(i: 2, j: 2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    s += w[p][q] * a[i + p - 1][j + q - 1];
            b[i][j] = s;
        }
}

/* The rows of one array twice: in step with the axis, and by the loop alone. */
static void twice(int n, int m, int (*a)[m], int (*b)[m]) {
#pragma rt skew(i: 2, j: 4)
    for (int i = 0; i < n - 3; i++)
        for (int j = 0; j < m - 3; j++) {
            int s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    s += a[i + p][j + q] - 2 * a[p][j + q];
            b[i][j] = s;
        }
}

/* Columns behind the diagonal: where a row ends depends on the row. */
static void triangle(int n, int (*a)[n], int (*b)[n]) {
#pragma rt skew(i: 2, j: 4)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < i; j++) {
            int s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    s += a[i + p - 1][j + q - 1];
            b[i][j] = s;
        }
}

/* A quotient, which is not to be taken of a zero that nobody stored. */
static void quotients(int n, int m, int (*a)[m], int (*b)[m]) {
#pragma rt skew(i: 2, j: 4)
    for (int i = 0; i < n - 2; i++)
        for (int j = 1; j < m - 1; j++) {
            int s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    s += 1000 / a[i + p][j + q - 1];
            b[i][j] = s;
        }
}

static void fill(void *at, int bytes, long n, int kind) {
    for (long i = 0; i < n; i++) {
        int value = (int)(i * 7 % 11) + 1;
        if (kind == 0)
            ((int *)at)[i] = value;
        else if (kind == 1)
            ((float *)at)[i] = value;
        else
            ((double *)at)[i] = value;
    }
    (void)bytes;
}

static void cubes(int n) {
    long all = (long)n * n * n;
    float w[3][3][3], *a = malloc(all * sizeof *a), *b = calloc(all, sizeof *b);
    double v[3][3][3], *c = malloc(all * sizeof *c), *d = calloc(all, sizeof *d);
    fill(w, 4, 27, 1), fill(a, 4, all, 1), fill(v, 8, 27, 2), fill(c, 8, all, 2);
    box(n, w, (void *)a, (void *)b);
    box_of_doubles(n, v, (void *)c, (void *)d);
    printf("%d: %lx %lx\n", n, sum(b, all * 4), sum(d, all * 8));
    n_calls += 2;
    free(a), free(b), free(c), free(d);
}

static void planes(int n, int m) {
    long all = (long)(n + 4) * (m + 4);
    float w[5][5], *a = malloc(all * sizeof *a), *b = calloc(all, sizeof *b);
    int v[9], *c = malloc(3 * all * sizeof *c), *d = calloc(all, sizeof *d), *own = malloc(all * sizeof *own);
    fill(w, 4, 25, 1), fill(a, 4, all, 1), fill(v, 4, 9, 0), fill(c, 4, 3 * all, 0), fill(own, 4, all, 0);
    taps(n, m, w, (void *)a, (void *)b);
    printf("%d %d: %lx", n, m, sum(b, all * 4));
    layers(n, m, (void *)v, (void *)c, (void *)d);
    printf(" %lx", sum(d, all * 4));
    along(n, m, v, (void *)c, (void *)own, (void *)d);
    printf(" %lx", sum(d, all * 4));
    strip(n, m, (void *)v, (void *)c, (void *)d);
    printf(" %lx", sum(d, all * 4));
    twice(n, m, (void *)c, (void *)d);
    printf(" %lx", sum(d, all * 4));
    triangle(n < m ? n : m, (void *)c, (void *)d);
    printf(" %lx", sum(d, all * 4));
    quotients(n, m, (void *)c, (void *)d);
    printf(" %lx\n", sum(d, all * 4));
    n_calls += 7;
    free(a), free(b), free(c), free(d), free(own);
}

int main(void) {
    int cube[] = {3, 10, 16, 21, 24};
    for (int k = 0; k < 5; k++)
        cubes(cube[k]);
    int plane[][2] = {{1, 1}, {5, 9}, {16, 64}, {19, 66}, {33, 140}, {8, 131}, {9, 2}};
    for (int k = 0; k < 7; k++)
        planes(plane[k][0], plane[k][1]);
    printf("%d calls\n", n_calls);
    return 0;
}
