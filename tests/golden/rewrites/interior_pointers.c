void up(int n, int m, int row, double *r, const double *u) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            r[i * row + j] = u[i * row + j - row];
}
