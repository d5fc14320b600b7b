/* What lies across the order of the threads comes through a tile; what each point reads anyway in order, and what is not
 * read by every point, does not. */
void staged(int n, int m, float a[n][m], float c[m][n], float b[m][n]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][j] - a[i - 1][j] + c[j][i];
}

void chosen(int n, int m, float a[n][m], float c[m][n], float b[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = c[j][i] > 0 ? a[i][j] : 0;
}
