/* A bound that is no sum of counters. */
void bent(int n, double a[n][n]) {
#pragma rt merge(4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i / 2; j++)
            a[i][j] = 1;
}
