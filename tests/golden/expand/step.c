/* A step needs nothing of the step before it in `base`: one dimension, that of the rows. The program may read `base`. */
double base;
void steps(int t, int n, double u[n][n], double v[n][n]) {
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < n; i++) {
            base = u[i][0];
            for (int j = 0; j < n; j++)
                v[i][j] = u[i][j] - base;
        }
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                u[i][j] = 0.5 * (v[i - 1][j] + v[i][j - 1]);
    }
}
