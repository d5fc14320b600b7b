int select(int n, double *y, const double *x, double t) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > t)
            y[k++] = x[i];
    return k;
}
