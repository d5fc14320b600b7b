/* Reads of what was there before see a copy of it: a shift, a product in place, rows found by hand in a loop over time
   that stays. Not where a value is handed on, nor where what is read was written before. */
void shift(int n, double a[n + 1], const double b[n]) {
    for (int i = 0; i < n; i++)
        a[i] = a[i + 1] + b[i];
}

void product(int m, int n, const double a[m][m], double b[m][n], double alpha) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++)
                b[i][j] += a[k][i] * b[k][j];
            b[i][j] = alpha * b[i][j];
        }
}

void upwind(int n, int m, int steps, double *a, double c) {
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * m + j] += c * a[(i + 1) * m + j];
}

void handed_on(int n, double a[n + 2]) {
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + a[i + 1];
}

void written_before(int n, double a[n + 1], const double b[n]) {
    for (int i = 0; i < n; i++) {
        a[i + 1] = b[i];
        a[i] = a[i + 1] + b[i];
    }
}
