/* Without `redundant-loads`, each iteration loads and stores the element that it adds to. */
void not_held(int n, int m, const double a[n][m], const double x[m], double y[n]) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < m; j++)
            y[i] += a[i][j] * x[j];
    }
}
