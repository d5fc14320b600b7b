/* What goes out in part must have come in; where one range holds the other it is named alone. */
void interior(int n, int m, double a[n][m], const int *c) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            a[i][j] += c[i];
}

void overlapping(int n, double *a, const double *b) {
    for (int i = 2; i < n - 1; i++)
        a[i] = b[i];
    for (int i = 1; i < n; i += 2)
        a[i] += a[i - 1];
}

void updated(int n, int m, double a[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i][j] += a[i - 1][0];
}
