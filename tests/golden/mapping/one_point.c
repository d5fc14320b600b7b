/* One point is a wish as well: the tiles of this product then have one a thread. */
void one(int n, double a[n][n], double b[n][n], double c[n][n]) {
#pragma rt merge(1)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}
