/* An index computed in the loop is seen through, so that the nest is perfect. */
void shifted(int n, double a[n][n + 1]) {
    for (int i = 0; i < n; i++) {
        const int row = n - 1 - i;
        for (int j = 0; j < n; j++) {
            int next = j + 1;
            a[row][next] = 2.0 * a[row][next];
        }
    }
}

void coloured(int n, double a[n]) {
    for (int i = 1; i < n - 1; i++)
        if (i % 2 == 0)
            a[i] = 0.5 * (a[i - 1] + a[i + 1]);
}
