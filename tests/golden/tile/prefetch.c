/* Three stages: while one is used, two are on their way. The elements of b are copied four at a time where its rows allow. */
void prefetch(int n, int m, int p, float a[n][p], float b[p][m], float c[n][m]) {
#pragma rt prefetch(3)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
}
