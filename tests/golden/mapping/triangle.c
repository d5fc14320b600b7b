/* Bounds that depend on another axis: a tile below the diagonal runs without a test, one across it with a test for each
 * point, one above it not at all. */
void lower(int n, double a[n][n]) {
#pragma rt merge(i: 2) skew(j: 2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] = i + j;
}
