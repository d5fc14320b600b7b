/* Parts of arrays: what is read comes in, what is written goes out, what is overwritten does neither way more. */
void parts(int n, int m, double a[n][m], double b[n], double *c) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = b[i] * c[2 * j + 1];
    for (int j = 0; j < m; j++)
        a[0][j] = a[1][j];
}
