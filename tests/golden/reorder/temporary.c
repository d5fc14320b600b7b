/* A scalar that each iteration has for itself follows its iteration. */
void smooth(int n, double a[n][n]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) {
            double old = a[i][j];
            a[i][j] = 0.5 * (a[i - 1][j] + a[i][j - 1]) + 0.1 * old;
        }
}
