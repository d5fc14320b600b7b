/* Products whose pieces are fetched while others are used: by asynchronous copies to 2, 3 and 4 stages and through
   registers, of sizes that no tile divides and of sizes that all do, of triangles, and of loops shorter than the stages. */
#include <stdio.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 53
#endif
enum { P = 47, W = 64 };

static double a[N][P], b[P][M], c[N][M], lower[N][N], x[N][M];
static float fa[N][P], fb[P][M], fc[N][M], wa[W][W], wb[W][W], wc[W][W];
static int ia[N][P], ib[P][M], ic[N][M];

static void two(void) {
#pragma rt prefetch(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < P; k++)
                c[i][j] += a[i][k] * b[k][j];
}

static void three(int n, int m, int p) {
#pragma rt prefetch(3) block(16, 4) merge(i: 4, j: 2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            fc[i][j] *= 0.5f;
            for (int k = 0; k < p; k++)
                fc[i][j] += fa[i][k] * fb[k][j];
        }
}

static void four(int n) {
#pragma rt prefetch(4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                wc[i][j] += wa[i][k] * wb[k][j];
}

static void registers(int n, int m, int p, double alpha) {
#pragma rt prefetch(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += alpha * a[i][k] * b[k][j];
}

/* Each row of the result has a length of its own. */
static void triangle(int n, int m) {
#pragma rt prefetch(3)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            for (int k = 0; k <= i; k++)
                sum += lower[i][k] * c[k][j];
            x[i][j] = sum;
        }
}

/* A half of a product of a matrix with its transpose. */
static void half(int n, int p) {
#pragma rt prefetch(4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < p; k++)
                lower[i][j] += a[i][k] * a[j][k];
}

static void half_through_registers(int n, int p) {
#pragma rt prefetch(2)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = 0; k < p; k++)
                lower[i][j] -= 0.25 * a[i][k] * a[j][k];
}

/* Whole numbers: no cell is computed with that is not read. */
static void whole_numbers(int n, int m, int p) {
#pragma rt prefetch(3)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                ic[i][j] += ia[i][k] * ib[k][j];
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < P; k++) {
            a[i][k] = (i * 3 + k * 5) % 11 - 5;
            fa[i][k] = (i + k * 7) % 13 - 6;
            ia[i][k] = (i * k) % 5;
        }
    for (int k = 0; k < P; k++)
        for (int j = 0; j < M; j++) {
            b[k][j] = (k * 2 + j) % 7 - 3;
            fb[k][j] = (k + j * 4) % 9 - 4;
            ib[k][j] = k * 10 - j;
        }
    for (int i = 0; i < W; i++)
        for (int j = 0; j < W; j++) {
            wa[i][j] = (i * 5 + j) % 17 - 8;
            wb[i][j] = (i + j * 3) % 19 - 9;
        }
    two();
    three(N, M, P);
    three(N, M, 1);
    three(N, M, 17);
    four(W);
    four(37);
    registers(N, M, P, 0.5);
    registers(N, M, 0, 0.5);
    half(N, P);
    half_through_registers(N, P);
    triangle(N, M);
    whole_numbers(N, M, P);
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum += x[i][j] * (i % 3) + fc[i][j] + ic[i][j];
    for (int i = 0; i < W; i++)
        sum += wc[i][W - 1 - i];
    printf("%.6e\n", sum);
    return 0;
}
