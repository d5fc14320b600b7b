/* A value that is computed from several elements cannot be copied: the next piece waits in registers. */
void prefetch_registers(int n, int p, double a[n][p], double b[n][p], double c[n][n]) {
#pragma rt prefetch(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += (a[i][k] - b[i][k]) * a[j][k];
}
