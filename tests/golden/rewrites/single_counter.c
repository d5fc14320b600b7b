double sum(int n, const double *a) {
    double s;
    int i, j;
    for (i = 0, j = n - 1, s = 0; i < n; i++, j--)
        s += a[i] * a[j];
    return s;
}
