/* Values that go to where they are used, and those that must not. */
void forward(int n, int m, double a[n][m], double b[m][m], double c[n][m], double *x, double *y) {
    double f, g;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) {
            f = a[i][k];
            for (int j = 0; j < m; j++)
                c[i][j] += f * b[k][j];
        }
    for (int i = 0; i < n; i++) {
        const int row = i * 2;
        float half = 0.5 * x[row];
        for (int j = 0; j < m; j++)
            b[i][j] = half + row;
    }
    /* Changed before its last use; read behind the loop; long to compute. */
    for (int i = 0; i < n; i++) {
        double old = x[i];
        for (int j = 0; j < m; j++)
            x[i] += old * a[i][j];
    }
    for (int i = 0; i < n; i++) {
        g = x[i];
        for (int j = 0; j < m; j++)
            a[i][j] = g;
    }
    y[0] = g;
    for (int i = 0; i < n; i++) {
        double inverse = 1 / y[i];
        for (int j = 0; j < m; j++)
            a[i][j] *= inverse;
    }
}

/* Places that a counter says between loops, in no loop's body. */
void faces(int n, double u[n][n], double v[n][n]) {
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) v[i][j] = 0.25 * u[i][j];
    i = 1;
    for (j = 0; j < n; j++) u[i][j] = v[i][j] + 1;
    i = n - 2;
    for (j = 0; j < n; j++) u[i][j] = v[i + 1][j] - 1;
}
