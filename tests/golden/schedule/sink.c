/* A sequential loop between two parallel ones goes to the host, and the two are one band. */
void rods(int n, int steps, double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++)
        for (int t = 0; t < steps; t++) {
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.5 * (a[i][j - 1] + a[i][j + 1]);
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
        }
}
