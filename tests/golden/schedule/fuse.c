/* Neighbours over the same space, one handing the other an element: one kernel. */
void fuse(int n, const double a[n], double b[n], double c[n]) {
    for (int i = 0; i < n; i++)
        b[i] = 2 * a[i];
    for (int i = 0; i < n; i++)
        c[i] = b[i] + 1;
    for (int i = 1; i < n; i++)
        c[i] = b[i - 1];
}
