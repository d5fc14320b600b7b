/* Neighbours over the same space that share nothing: one kernel, but for a loop in a thread, which would decide how threads lie. */
void fuse_apart(int n, const double a[n], double b[n], const double c[n], double d[n], double m[n][n], double s[n]) {
    for (int i = 0; i < n; i++)
        b[i] = 2 * a[i];
    for (int i = 0; i < n; i++)
        d[i] = 3 * c[i];
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += m[i][j];
        s[i] = sum;
    }
}
