/* What is plain already has no second form. */
void plain(int n, double a[n]) {
    for (int i = 0; i < n; i++)
        a[i] = i;
}
