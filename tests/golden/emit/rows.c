/* Rows behind pointers in the entry point: a list of them, the test that they do not overlap, an element that is printed. */
int printf(const char *format, ...);

void march(int n, int steps, double **a, const double *b) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                a[i][j] = 0.5 * a[i][j] + b[j];
        if (t % 10 == 0)
            printf("%d %g\n", t, a[n - 1][0]);
    }
}
