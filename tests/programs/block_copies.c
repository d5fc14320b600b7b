/* Blocks that are copied and cleared between loops, as loops over their elements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, COLUMNS = 30 };

static double plane[ROWS][COLUMNS], other[ROWS][COLUMNS];
static unsigned char marks[3000];

static void relax(double *u, const double *right, int n, int steps)
{
    double *next = calloc(sizeof(double), n + 1);
    for (int step = 0; step < steps; step++) {
        for (int i = 1; i < n; i++)
            next[i] = u[i] + 0.25 * (right[i] + u[i - 1] + u[i + 1] - 2 * u[i]);
        memcpy(u, next, (n + 1) * sizeof(double));
    }
    free(next);
}

static void smooth(int nx, int ny, float *a, float *b)
{
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++)
            b[i * ny + j] = 0.25f * (a[(i - 1) * ny + j] + a[(i + 1) * ny + j] + a[i * ny + j - 1] + a[i * ny + j + 1]);
    memcpy(a + ny, &b[ny], sizeof(float) * (nx - 2) * ny);
    memcpy(a, b, 4 * sizeof *a);
}

int main(void)
{
    int n = 900;
    double *u = malloc((n + 1) * sizeof *u), *right = malloc((n + 1) * sizeof *right);
    for (int i = 0; i <= n; i++)
        u[i] = i % 5, right[i] = 1.0 / (1 + i % 3);
    for (int t = 0; t < 3; t++)
        relax(u, right, n, 4);
    memcpy(u + 3, right, (size_t)(n * 0.55) * sizeof(double)); // decline: only the data know
    unsigned wraps = 1u << 31;
    memcpy(u + 600, right, (size_t)(wraps * (2u * n + 1) - wraps + n / 9) * sizeof(double));
    float *a = malloc(sizeof(float) * 50 * 60), *b = malloc(sizeof(float) * 50 * 60);
    memset(b, 0, sizeof(float) * 50 * 60);
    for (int i = 0; i < 3000; i++)
        a[i] = i % 11;
    for (int t = 0; t < 5; t++)
        smooth(50, 60, a, b);
    for (int t = 0; t < 4; t++) {
        memset(marks, 0, sizeof marks);
        memset(plane, 0, sizeof(plane));
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                plane[i][j] += other[i][j] + t + i * j;
        for (int i = 0; i < 3000; i++)
            marks[i] += i % (t + 2);
        memcpy(other, plane, sizeof(plane));
        memcpy(other[3], plane[5], COLUMNS * sizeof(double));
    }
    double sum = 0;
    for (int i = 0; i <= n; i++)
        sum += u[i];
    for (int i = 0; i < 3000; i++)
        sum += a[i] * i + marks[i] * (i % 7);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum += other[i][j] * (i - 2 * j);
    printf("%.17g\n", sum);
    free(u), free(right), free(a), free(b);
    return 0;
}
