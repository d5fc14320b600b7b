/* Triangles of points, and of a loop: blocks with no point do nothing, pieces of k that some points lack are tested. */
void rank_k(int n, int m, float a[n][m], float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < m; k++)
                c[i][j] += a[i][k] * a[j][k];
}

void upper(int n, int m, double a[n][n], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = i + 1; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}
