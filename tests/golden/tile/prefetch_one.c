/* One piece at a time, as where nothing is asked. */
void prefetch_one(int n, double a[n][n], double b[n][n], double c[n][n]) {
#pragma rt prefetch(1)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}
