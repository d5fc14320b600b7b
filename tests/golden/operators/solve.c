/* A triangular system is a part of its own beside what comes before it; a stencil is no operator, and stays one part. */
void solve(int n, double a[n][n], double b[n], double x[n]) {
    for (int i = 0; i < n; i++)
        x[i] = 0.5 * x[i];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
}

void stencil(int n, double a[n], double b[n]) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
}
