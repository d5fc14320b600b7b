/* The axis runs along memory: neighbouring threads keep neighbouring columns, the rows of the block are lanes. */
void product(int n, int m, float a[n][m], float r[n], float s[m]) {
    for (int j = m - 1; j >= 0; j--)
        for (int i = n - 1; i > 0; i -= 2)
            s[j] = s[j] + r[i] * a[i][j];
}

/* Each lane keeps the least and the greatest of its share. */
void range(int n, int m, int a[n][m], int least[m], int greatest[m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            if (a[i][j] < least[j])
                least[j] = a[i][j];
            greatest[j] = a[i][j] > greatest[j] ? a[i][j] : greatest[j];
        }
}
