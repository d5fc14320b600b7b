/* Each figure alone could be, but not both. */
void line(int n, double *a) {
#pragma rt merge(16) skew(8)
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
