// The same for paths that begin only where there is a road: the condition on `d[i][k]` is asked once before the inner loop,
// whose pieces are to be apart from it.
void shortest(int n, double d[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            if (d[i][k] < 1e300)
                for (int j = 0; j < n; j++)
                    if (d[i][k] + d[k][j] < d[i][j])
                        d[i][j] = d[i][k] + d[k][j];
}
