/* The loop runs along memory: a warp for each row. */
void product(int n, int m, double alpha, double beta, double a[n][m], double b[n][m], double x[m], double y[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        y[i] = 0.0;
        for (int j = 0; j < m; j++) {
            sum += a[i][j] * x[j];
            y[i] += b[i][j] * x[j];
        }
        y[i] = alpha * sum + beta * y[i];
    }
}

/* Not every element has an iteration, and the other ones may not even be there. */
void below(int n, double a[n][n], double x[n], double y[n - 1]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (j % 3 != 0)
                y[i - 1] -= a[i][j] * x[j];
}
