/* Bounds of counters, an accumulation, an array that is only read. */
void triangular(int n, const double l[n][n], const double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j <= i; j++)
            y[i] += l[i][j] * x[j];
    }
}
