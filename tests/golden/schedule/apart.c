/* Iterations that meet for some sizes: the call tests that they do not. */
void half(int l, double *a) {
    for (int j = 0; j < l; j += 2) {
        double x = a[j] - a[j + l], y = a[j + 1] - a[j + l + 1];
        a[j] += a[j + l];
        a[j + 1] += a[j + l + 1];
        a[j + l] = x - y;
        a[j + l + 1] = x + y;
    }
}
void shifted(int n, int m, double *a) {
    for (int i = 0; i < n; i++) a[i] = a[i] / 2 + a[i + m];
}
