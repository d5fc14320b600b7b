void rows(int n, int m, double *a) {
    double *row;
    for (int i = 0; i < n; i++) {
        row = a + i * m;
        for (int j = 0; j < m; j++)
            row[j] = 0;
    }
}

/* The bytes of numbers are no numbers. */
void bytes(int n, void *all, double *a) {
    unsigned char *at;
    for (int i = 0; i < n; i++) {
        at = all;
        a[i] = at[i];
    }
}
