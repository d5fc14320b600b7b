/* Elements that the kernel leaves alone, in an array of which it writes others: a column from the columns before it.
   The other function keeps a greatest value, an assignment that reads its target. */
void column(int n, int j, double a[n][n]) {
    for (int i = j + 1; i < n; i++)
        for (int k = 0; k < j; k++)
            a[i][j] -= a[i][k] * a[j][k];
}

void greatest(int n, int m, float a[n][m], float b[n][m], float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                c[i][j] = c[i][j] >= a[i][k] + b[j][k] ? c[i][j] : a[i][k] + b[j][k];
}
