/* What one thread runs in order has no points to share out. */
void chain(int n, double *a) {
#pragma rt merge(4)
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1] * a[i - 1];
}
