/* A recurrence and independent work in one loop come apart. */
void distribute(int n, double a[n], double b[n], const double c[n]) {
    for (int i = 1; i < n; i++) {
        b[i] = 2 * c[i];
        a[i] = a[i - 1] + c[i];
    }
}
