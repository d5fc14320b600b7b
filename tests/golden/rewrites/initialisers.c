void weighted(int n, double *a, const double *b) {
    for (int i = 1; i < n - 1; i++) {
        const double w[3] = {0.25, 0.5};
        for (int k = 0; k < 3; k++)
            a[i] += w[k] * b[i + k - 1];
    }
}
