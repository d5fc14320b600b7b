/* Variables that iterations share without need: each iteration could have its own. What the last one leaves is printed. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 26
#endif
#ifndef M
#define M 11
#endif

static double noise(void) {
    static unsigned seed = 7;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

/* An array that every (r, q) fills anew, wanted by the caller. */
static void contract(int nr, int nq, int np, double a[nr][nq][np], double c[np][np], double sum[np]) {
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0.0;
                for (int s = 0; s < np; s++)
                    sum[p] += a[r][q][s] * c[s][p];
            }
            for (int p = 0; p < np; p++)
                a[r][q][p] = sum[p];
        }
}

/* LU and both solutions of triangles, all through one scalar. */
static void solve(int n, double a[n][n], double b[n], double y[n], double x[n]) {
    double w;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            w = a[i][j];
            for (int k = 0; k < j; k++)
                w -= a[i][k] * a[k][j];
            a[i][j] = w / a[j][j];
        }
        for (int j = i; j < n; j++) {
            w = a[i][j];
            for (int k = 0; k < i; k++)
                w -= a[i][k] * a[k][j];
            a[i][j] = w;
        }
    }
    for (int i = 0; i < n; i++) {
        w = b[i];
        for (int j = 0; j < i; j++)
            w -= a[i][j] * y[j];
        y[i] = w;
    }
    for (int i = n - 1; i >= 0; i--) {
        w = y[i];
        for (int j = i + 1; j < n; j++)
            w -= a[i][j] * x[j];
        x[i] = w / a[i][i];
    }
}

/* Downwards and by strides: the last iterations are found from the bounds. Integers and floats. */
static int last_row[2 * M];
static void downwards(int n, int m, int in[n][m], int out[n][m]) {
    for (int i = n - 2; i > 0; i -= 3) {
        for (int j = m - 1; j >= 0; j--)
            last_row[m + j] = in[i - 1][j] + in[i + 1][j];
        for (int j = 1; j < m - 1; j++)
            out[i][j] = last_row[m + j - 1] - last_row[m + j + 1];
    }
}

static float pivot;
static void rows(unsigned n, unsigned m, float u[n][m], float v[n][m]) {
    for (unsigned i = 0; i < n; i += 2) {
        pivot = u[i][0];
        for (unsigned j = 0; j < m; j++)
            v[i][j] = u[i][j] / (1.0f + pivot);
    }
}

/* Triangular: what is left of `part` is of many iterations, so that it stays as it is. */
static void triangle(int n, double u[n][n], double part[n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= n - 1 - i; j++)
            part[j] = u[i][j] * 0.5;
        for (int j = 0; j <= n - 1 - i; j++)
            u[i][j] = part[n - 1 - i - j] + 1.0;
    }
}

static double check(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * (1 + i % 5);
    return sum;
}

int main(void) {
    double(*a)[M][M] = malloc(sizeof(double[N][M][M]));
    double(*c)[M] = malloc(sizeof(double[M][M]));
    double(*l)[N] = malloc(sizeof(double[N][N]));
    double sum[M], b[N], x[N], y[N], part[N];
    int in[N][M], out[N][M] = {{0}};
    float u[N][M], v[N][M] = {{0}};
    if (!a || !c || !l)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < M; k++)
                a[i][j][k] = noise();
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            c[i][j] = noise();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            l[i][j] = noise() + (i == j ? N : 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            in[i][j] = (int)(100 * noise());
            u[i][j] = (float)noise();
        }
    for (int i = 0; i < M; i++)
        sum[i] = i;
    for (int i = 0; i < N; i++) {
        b[i] = noise();
        x[i] = y[i] = 0;
        part[i] = i;
    }
    contract(0, M, M, a, c, sum);
    contract(N, 0, M, a, c, sum);
    printf("%.10g\n", check(sum, M));
    contract(N, M, M, a, c, sum);
    printf("%.10g %.10g\n", check(sum, M), check(&a[0][0][0], N * M * M));
    solve(N, l, b, y, x);
    solve(0, l, b, y, x);
    printf("%.10g %.10g\n", check(x, N), check(y, N));
    downwards(N, M, in, out);
    downwards(2, M, in, out);
    long all = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            all += out[i][j] * (i + 2L * j);
    for (int j = 0; j < 2 * M; j++)
        all += last_row[j] * 3L;
    printf("%ld\n", all);
    rows(N, M, u, v);
    rows(0, M, u, v);
    double rest = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            rest += v[i][j];
    printf("%.6g %.6g\n", rest, pivot);
    triangle(N, l, part);
    printf("%.10g %.10g\n", check(part, N), check(&l[0][0], N * N));
    free(a);
    free(c);
    free(l);
    return 0;
}
