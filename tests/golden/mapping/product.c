/* What is asked of a product's threads holds within its tiles: points in registers, shared memory as large as they need. */
void square(int n, double a[n][n], double b[n][n], double c[n][n]) {
#pragma rt merge(i: 2, j: 4) block(16, 8)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}
