void sort(double **a, int n) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n - i; j++)
            if (a[j][1] > a[j + 1][1]) {
                double *t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}
