/* A call in a loop is opened, and a pointer to a row gives way to it. */
static void halve(int m, double *row) {
    for (int j = 0; j < m; j++)
        row[j] *= 0.5;
}

void halves(int n, int m, double a[n][m]) {
    for (int i = 0; i < n; i++) {
        double *row = a[i];
        halve(m, row);
    }
}
