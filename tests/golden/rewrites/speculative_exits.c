int eliminate(int n, double (*a)[n]) {
    for (int k = 0; k < n; k++) {
        if (a[k][k] == 0)
            return 1;
        for (int i = k + 1; i < n; i++)
            a[i][k] /= a[k][k];
    }
    return 0;
}

/* It is hoped for that it ends early. */
int search(int n, const double *a) {
    for (int k = 0; k < n; k++)
        if (a[k] == 0)
            return k;
    return n;
}
