/* The iterations of a thread's own loop are no points. */
void rows(int n, double a[n][n], double *b) {
    for (int i = 0; i < n; i++) {
        b[i] = 0;
#pragma rt merge(2)
        for (int j = 0; j < i; j++)
            b[i] += a[i][j];
    }
}
