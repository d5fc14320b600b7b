/* Loops whose bounds are not just `i < n`: sums and multiples of the counter, the lesser or greater of two, products of
 * sizes, a choice among sizes, by operators or by functions. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
static double a[N][N], b[N * N], c[N];

static int min(int a, int b) { return a < b ? a : b; }

static inline int max(int a, int b) { return a > b ? a : b; }

/* Tiles, the last of them cut off. */
static void tiles(int n, double x[n][n]) {
    for (int ii = 0; ii < n; ii += 8)
        for (int jj = 0; jj < n; jj += 8)
            for (int i = ii; i < min(ii + 8, n); i++)
                for (int j = jj; j < min(n, jj + 8); j++)
                    x[i][j] += i + 2 * j;
}

/* Diagonals between two borders. */
static void diagonals(int n, int m, double x[n][m]) {
    for (int d = 2; d <= n + m - 4; d++)
        for (int i = max(1, d - m + 2); i <= min(d - 1, n - 2); i++)
            x[i][d - i] = x[i - 1][d - i] + x[i][d - i - 1];
}

static void all(int n, int m, double *x) {
    for (int k = 0; k < n * m; k++)
        x[k] = 2.0 * x[k] + k;
}

static void sums(int n, unsigned w, double *x) {
    for (unsigned i = 0; i + w <= (unsigned)n; i++)
        x[i] += 0.5;
    for (int i = n - 1; 2 * i >= n - 3; i--)
        x[i] *= 2.0;
    for (int i = 0; i < n - 1 - i; ++i)
        x[i] += x[n - 1 - i];
    for (size_t i = 0; i + 1 < (size_t)n; i += 2)
        x[i] = 0.5 * (x[i] + 3.0);
}

/* As many as a size chooses among two, and one more. */
static void chosen(int wide, int few, int many, double *x) {
    for (int i = 1; i < (wide > 2 ? many : few) + 1; i++)
        x[i - 1] += i * 1e-9;
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = b[i * N + j] = (i * 7 + j * 3) % 11 * 1e-9;
    tiles(N, a);
    diagonals(N, N, a);
    all(N, N, b);
    sums(N, 3, c);
    sums(N - 1, 40, c);
    chosen(3, 4, N, c);
    chosen(2, 4, N, c);
    chosen(2, -4, N, c);
    double s = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s += a[i][j] * (1 + i % 3) + b[i * N + j] + c[i] * (1 + j % 5);
    printf("bounds %.10e\n", s);
    return 0;
}
