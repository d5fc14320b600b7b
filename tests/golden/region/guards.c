/* Conditions on counters are the loop's own; conditions on data stay in their statement. */
void guards(int n, double a[n][n], double *d) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j)
                continue;
            if (i + j < n && j % 2 == 0)
                a[i][j] = 0;
            else
                a[i][j] = 1;
            if (d[i] < a[i][j])
                d[i] = a[i][j];
        }
}
