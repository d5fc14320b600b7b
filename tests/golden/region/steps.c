/* Downward loops, steps, bounds with two limits, divisions. */
void steps(int n, int m, double *a, double *b) {
    for (int i = n - 1; i >= 0; i -= 2)
        a[i] = i;
    for (int i = 0; i < n && i <= m; i += 3)
        b[i / 3] = a[i];
    for (int i = 0; i != n; i++)
        b[2 * i + 1] += a[i];
}
