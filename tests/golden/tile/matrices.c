/* What a warp holds of two factors, and whole and cut pieces of the loop. */
void transposed(int n, int m, int p, double a[p][n], double b[m][p], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] -= b[j][k] * a[k][i];
}
