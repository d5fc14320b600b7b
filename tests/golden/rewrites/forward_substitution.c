void product(int n, double (*a)[n], double (*b)[n], double (*c)[n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double f = a[i][k];
            for (int j = 0; j < n; j++)
                c[i][j] += f * b[k][j];
        }
}

/* It changes before its last use. */
void shifted(int n, double *a, double *b) {
    for (int i = 1; i < n; i++) {
        double f = a[i];
        a[i] = b[i];
        b[i] = f;
    }
}
