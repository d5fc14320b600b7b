/* Rows that a few lanes share, loops in order that lanes go through together, columns of planes, products of many small matrices: few
   and many of each, alone and in a loop over steps. */
#include <stdio.h>
#include <stdlib.h>

static void sums(int n, int m, const float *a, float *s) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += a[i * m + j];
        s[i] = sum;
    }
}

static void planes(int n, int m, float a[n][m][20], float s[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < 20; k++) sum += a[i][j][k];
            s[i][j] += sum;
        }
}

static void scores(int n, int heads, int d, float q[n][heads][d], float k[n][heads][d], float s[n][heads][n], float most[n][heads]) {
    for (int i = 0; i < n; i++)
        for (int h = 0; h < heads; h++) {
            float greatest = -1e30f, all = 0;
            for (int j = 0; j <= i; j++) {
                float dot = 0;
                for (int x = 0; x < d; x++) dot += q[i][h][x] * k[j][h][x];
                if (dot > greatest) greatest = dot;
                s[i][h][j] = dot;
            }
            for (int j = 0; j <= i; j++) all += s[i][h][j];
            most[i][h] = greatest + all;
        }
}

/* Only some of the elements go through the loop, which begins and ends where others do not. */
static void nearest(int n, int m, int d, float p[n][m][d], float c[m][d], int at[n][m]) {
    for (int i = 0; i < n; i++)
        for (int g = 0; g < m; g++) {
            float least = 1e30f;
            int best = -1;
            if (g > 0)
                for (int k = 1; k < m - i; k++) {
                    float sum = 0;
                    for (int x = 0; x < d; x++) sum += (p[i][g][x] - c[k][x]) * (p[i][g][x] - c[k][x]);
                    if (sum < least) {
                        least = sum;
                        best = k;
                    }
                }
            at[i][g] = best;
        }
}

static void pooled(int n, int p, int c, float a[n][p][c], float s[n][c]) {
    for (int q = 0; q < n; q++)
        for (int k = 0; k < c; k++) {
            float sum = 0;
            for (int i = 0; i < p; i++) sum += a[q][i][k];
            s[q][k] = sum;
        }
}

static void colours(int h, int w, float a[h][w][3], float s[h][3]) {
    for (int y = 0; y < h; y++)
        for (int c = 0; c < 3; c++) {
            float sum = 0;
            for (int x = 0; x < w; x++) sum += a[y][x][c];
            s[y][c] = sum;
        }
}

static void products(int n, int m, float a[n][m][m], float b[n][m][m], float c[n][m][m]) {
    for (int q = 0; q < n; q++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) {
                float sum = 0;
                for (int k = 0; k < m; k++) sum += a[q][i][k] * b[q][k][j];
                c[q][i][j] = sum;
            }
}

static void steps(int t, int n, int m, float a[n][m][20], float s[n][m], int heads, int d, float q[n][heads][d], float k[n][heads][d],
                  float w[n][heads][n], float most[n][heads]) {
    for (int step = 0; step < t; step++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float sum = 0;
                for (int x = 0; x < 20; x++) sum += a[i][j][x];
                s[i][j] = 0.5f * s[i][j] + sum;
            }
        for (int i = 0; i < n; i++)
            for (int h = 0; h < heads; h++) {
                float greatest = -1e30f;
                for (int j = 0; j <= i; j++) {
                    float dot = 0;
                    for (int x = 0; x < d; x++) dot += q[i][h][x] * k[j][h][x];
                    if (dot > greatest) greatest = dot;
                    w[i][h][j] = dot;
                }
                most[i][h] += greatest;
            }
    }
}

static float *drawn(long n, unsigned seed) {
    float *a = malloc(n * sizeof *a);
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (float)(int)(seed >> 24) / 64 - 2;
    }
    return a;
}

static void show(const char *name, const float *a, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) sum += a[i] * (double)(i % 7 + 1);
    printf("%s %.3f\n", name, sum);
}

int main(void) {
    float *a = drawn(1 << 21, 1), *b = drawn(1 << 18, 2), *s = drawn(1 << 20, 3), *most = drawn(1 << 12, 4);
    static int at[150 * 60];
    sums(11000, 20, a, s);
    show("many short rows", s, 11000);
    sums(13000, 50, a, s);
    show("many longer rows", s, 13000);
    sums(66000, 6, a, s);
    show("many rows of a thread each", s, 66000);
    sums(37, 50, a, s);
    show("few rows", s, 37);
    planes(60, 50, (void *)a, (void *)s);
    show("planes", s, 60 * 50);
    planes(3, 1, (void *)a, (void *)s);
    show("few planes", s, 3);
    scores(30, 3, 40, (void *)a, (void *)b, (void *)s, (void *)most);
    show("scores", s, 30 * 3 * 30), show("greatest", most, 30 * 3);
    scores(5, 1, 1100, (void *)a, (void *)b, (void *)s, (void *)most);
    show("long scores", s, 5 * 5), show("greatest of these", most, 5);
    nearest(9, 13, 37, (void *)a, (void *)b, (void *)at);
    for (int i = 0; i < 9 * 13; i++) printf("%d ", at[i]);
    printf("\n");
    for (int d = 9; d < 40; d += 24) {
        long sum = 0;
        nearest(150, 60, d, (void *)a, (void *)b, (void *)at);
        for (int i = 0; i < 150 * 60; i++) sum += (long)at[i] * (i % 11 + 1);
        printf("many nearest %ld\n", sum);
    }
    pooled(5, 100, 33, (void *)a, (void *)s);
    show("pooled", s, 5 * 33);
    colours(45, 131, (void *)a, (void *)s);
    show("colours", s, 45 * 3);
    products(50, 5, (void *)a, (void *)b, (void *)s);
    show("small products", s, 50 * 25);
    products(2, 70, (void *)a, (void *)b, (void *)s);
    show("products", s, 2 * 70 * 70);
    steps(3, 20, 7, (void *)a, (void *)s, 2, 35, (void *)(a + 9000), (void *)b, (void *)(s + 20 * 7), (void *)most);
    show("steps", s, 20 * 7 + 20 * 2 * 20), show("greatest of steps", most, 20 * 2);
    return 0;
}
