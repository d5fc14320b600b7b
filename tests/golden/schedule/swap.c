/* Rows depend on each other, columns do not: the columns go outermost. */
void swap(int n, double a[n][n]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += a[i - 1][j];
}
