static int mod(int a, int b) { int r = a % b; return r < 0 ? r + b : r; }
static int wrap(int i, int n) { if (i < 0) return i + n; if (i >= n) return i - n; return i; }
static int around(int i, int n) { int r = i % n; if (r < 0) r += n; return r; }
static int twice(int i, int n) { return ((i % n) + n) % n; }
static int drawn(int n) { static int seed = 3; seed = seed * 5 + 1; return seed % n; }
void f(int n, int m, double **a, double **b, double *restrict g, int k, unsigned w) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int right = (j + 1) % m;
            b[i][j] = a[(i + 1) % n][j] + a[(i - 1 + n) % n][j] + a[i][right];
            b[i][j] += a[mod(i - 1, n)][j] + a[i][wrap(j + 1, m)] + a[around(i + 1, n)][twice(j - 1, m)];
            for (int l = -1; l <= 1; l++) b[i][j] += a[i][(j + l + m) % m];
            g[((i + 1) % n) * m + j] = b[i][j];
            b[i][j] -= g[(i + k) % n] + g[(i + w) % n] + g[(i - 1) % n] + g[(i + 1) % m];
            b[i][j] += a[drawn(n)][0];
        }
}
