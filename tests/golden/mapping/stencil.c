/* Points of a stencil at the edges of its box are tested one by one, those inside are not. */
void stencil(int n, double a[n][n], double b[n][n]) {
#pragma rt merge(i: 4)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}
