void one_way(int n, double *a) {
    for (int i = 0; i < n; i++)
        *(a + 2 * i + 1) = *&a[i] + (&a[n] - (a + i));
}
