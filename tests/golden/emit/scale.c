/* A kernel with a guard, its entry point, copies. */
static double half(double x) { return 0.5 * x; }

void scale(int n, int m, double a[n][m], const double *by) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = half(a[i][j]) * by[j];
}
