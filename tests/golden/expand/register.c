/* Each thread has the accumulation in a register: nothing to gain. */
void rows(int n, int m, double a[n][m], double x[n]) {
    double acc;
    for (int i = 0; i < n; i++) {
        acc = 0.0;
        for (int j = 0; j < m; j++)
            acc += a[i][j];
        x[i] = acc;
    }
}
