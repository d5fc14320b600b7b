int i;

int fill(int n, double *a) {
    for (i = 0; i < n; i++)
        a[i] = 0;
    return i;
}
