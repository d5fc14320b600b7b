/* Rows whose threads share what they read: with points of their own, no lanes. */
void rows(int n, double a[n][n], double x[n], double y[n]) {
#pragma rt skew(2)
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
}
