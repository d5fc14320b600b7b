/* Directives that have no effect say so. */
void f(int n, double *a) {
#pragma rt merge(8)
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma rt parallel
    n = 3;
}
