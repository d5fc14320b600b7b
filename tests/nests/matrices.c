/* Products of doubles of sizes that are multiples of nothing: factors in any order of memory, added and taken away, bounds
   that differ from point to point, products in larger nests, and one after another. All sums are exact. */
#include <stdio.h>
enum { N = 69, M = 83, P = 37, L = 2 };
static double a[N][M], b[M][M], c[N][M], d[N][N], x[L][N][M], y[L][M][M], z[L][N][M];

static void plain(int n, int m, int p) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < p; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum + 1;
        }
}
static void transposed(int n, int m, int p) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++) c[i][j] -= b[j][k] * a[k][i];
}
static void symmetric(int n, int p) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 1; k < p; k++) d[i][j] += a[i][k] * a[j][k - 1];
}
static void lower(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k <= i; k++) c[i][j] += a[i][k] * b[k][j];
}
static void upper(int n) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            d[i][j] *= 2;
            for (int k = i; k < n; k++) d[i][j] += a[i][k] * b[k][j];
        }
}
static void batched(int l, int n, int m, int p) {
    for (int h = 0; h < l; h++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < p; k++) z[h][i][j] += x[h][i][k] * y[h][k][j];
}
static void two(int n, int m, int p, int q) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < p; k++) c[i][j] += a[i][k] * b[k][j];
            for (int k = 0; k < q; k++) c[i][j] += b[k][i] * a[k][j];
        }
}
static void summed(int n, int m, int l, int p) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int h = 0; h < l; h++)
                for (int k = 0; k < p; k++) c[i][j] += x[h][i][k] * y[h][k][j];
}

/* Values computed from one element of a factor: of an infinity nothing may come where there is no iteration. */
static void scaled(int n, int m, int p, double alpha, double beta) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] *= beta;
            for (int k = 0; k < p; k++) c[i][j] += alpha * a[i][k] * b[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++) d[i][j] -= (a[j][k] + beta) * (alpha * -a[i][k]);
}
static void infinite(int n, int m, int p, double alpha) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 1;
            for (int k = 0; k < p; k++) sum += alpha * (a[i][k] + 7) * (b[k][j] + 9);
            c[i][j] = sum;
        }
}

int main(void) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            b[i][j] = (i * 5 + j * 3) % 17 - 8;
            if (i < N) a[i][j] = (i * 7 + j * 2) % 13 - 6;
            for (int h = 0; h < L; h++) {
                y[h][i][j] = (i + j * 3 + h) % 7 - 3;
                if (i < N) x[h][i][j] = (i * 2 + j + h) % 5 - 2;
            }
        }
    static const int sizes[][3] = {{N, M, P}, {64, 64, 32}, {1, 1, 1}, {17, 33, 3}, {5, 9, 0}};
    for (int s = 0; s < 5; s++) {
        int n = sizes[s][0], m = sizes[s][1], p = sizes[s][2];
        double sum = 0;
        plain(n, m, p);
        transposed(n, m, p);
        symmetric(n, p);
        lower(n, m);
        upper(n);
        batched(s % L + 1, n, m, p);
        two(n, m, p, p / 2);
        summed(n, m, s % L, p);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) sum += (c[i][j] + z[s % L][i][j] + (j < n ? d[i][j] : 0)) * (i % 7 - j % 5);
        printf("%.1f\n", sum);
        scaled(n, m, p, s + 2, s - 2);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) sum += (c[i][j] + (j < n ? d[i][j] : 0)) * (i % 5 - j % 3);
        printf("%.1f\n", sum);
        infinite(n, m, p, s ? 1e308 * 10 : 1);
        int large = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) large += c[i][j] > 1e307;
        printf("%d\n", large);
    }
    return 0;
}
