/* A loop that runs in order within the thread has no points. */
void plane(int n, double a[n][n]) {
#pragma rt merge(i: 2, j: 4)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            a[i][j] += a[i][j - 1];
}
