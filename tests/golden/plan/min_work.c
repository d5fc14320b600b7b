/* The work of a call is computed from its sizes; what only the data know is told. */
void triangle(int n, int m, double c[n][m]) {
    for (int i = 0; i < n; i++) {
        c[i][0] = 0;
        for (int j = 1; j <= i && j < m; j++)
            c[i][j] = 2 * c[i][j] + 1;
    }
}

void known(double a[640]) {
    for (int i = 0; i < 640; i++)
        a[i] = 2 * a[i];
}

void until(int n, double a[n], double tol) {
    double most = 1;
    while (most > tol) {
        most = 0;
        for (int i = 0; i < n; i++) {
            a[i] = a[i] / 2;
            most = most < a[i] ? a[i] : most;
        }
    }
}
