/* One kernel for all steps: its blocks wait for each other after each phase. The sum's partial results are as many as
 * there are blocks. */
void steps(int t_end, int n, int m, double a[n][m], double b[n][m], double *sums) {
    for (int t = 0; t < t_end; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
        for (int j = 0; j < t; j++)
            sums[t] += a[t][j];
    }
}
