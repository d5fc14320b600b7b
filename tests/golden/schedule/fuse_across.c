/* Sums of rows are one kernel; those of columns are another, since lanes lie along one of both and would walk across the other. */
void fuse_across(int n, const double m[n][n], const double x[n], double y[n], double z[n], double w[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += m[i][j] * x[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[i] += m[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[i] += m[j][i] * x[j];
}
