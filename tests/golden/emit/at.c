/* Settings by extents: the first kernel has two rows, which are instances of its template, the sum has a row of its own
   partial results, and the last nest has none. */
double f(int n, int m, double a[n][m], double b[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = 2 * a[i][j];
    double s = 0;
    for (int i = 0; i < n; i++)
        s += b[i][0];
    for (int j = 0; j < m; j++)
        b[0][j] = s;
    return s;
}
