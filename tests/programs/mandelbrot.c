/* Mandelbrot's and Julia's sets: each point iterates until it escapes, and only the point knows when. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 47
#endif
#ifndef M
#define M 61
#endif
#define LIMIT 60

/* How often it takes to escape; a `while`. */
static void mandelbrot(int n, int m, int count[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double cr = -2.2 + 3.2 * j / m, ci = -1.3 + 2.6 * i / n, zr = 0.0, zi = 0.0;
            int k = 0;
            while (k < LIMIT && zr * zr + zi * zi <= 4.0) {
                double next = zr * zr - zi * zi + cr;
                zi = 2.0 * zr * zi + ci;
                zr = next;
                k++;
            }
            count[i][j] = k;
        }
}

/* How large it is when it leaves; a `for` with a `break`. */
static void julia(int n, int m, double cr, double ci, double *size) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double zr = -1.6 + 3.2 * j / m, zi = -1.2 + 2.4 * i / n;
            for (int k = 0; k < LIMIT; k++) {
                if (zr * zr + zi * zi > 4.0)
                    break;
                double next = zr * zr - zi * zi + cr;
                zi = 2.0 * zr * zi + ci;
                zr = next;
            }
            size[i * m + j] = zr * zr + zi * zi > 4.0 ? 1.0 : 0.0;
        }
}

/* How many points never escape. */
static int area(int n, int m, int count[n][m]) {
    int inside = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (count[i][j] == LIMIT)
                inside++;
    return inside;
}

int main(void) {
    int(*count)[M] = malloc(sizeof(int[N][M]));
    double *size = malloc(sizeof(double) * N * M);
    long check = 0;
    int escaped = 0;
    if (!count || !size)
        return 1;
    mandelbrot(N, M, count);
    julia(N, M, -0.4, 0.6, size);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            check += count[i][j] * (1 + (i + j) % 7);
            escaped += size[i * M + j] > 0.0;
        }
    printf("mandelbrot %ld, area %d, julia %d\n", check, area(N, M, count), escaped);
    free(count);
    free(size);
    return 0;
}
