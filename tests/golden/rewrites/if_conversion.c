void stream(int n, int m, int (*solid)[m], double (*f)[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (solid[i][j])
                continue;
            double rho = f[0][i][j];
            for (int q = 1; q < 9; q++)
                f[q][i][j] += rho;
        }
}

/* What counters decide, by whatever name, is asked as it stands. */
void window(int n, int m, int h, const unsigned char *a, unsigned char *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            unsigned char most = 0;
            for (int k = -h; k <= h; k++) {
                int row = i + k;
                if (row < 0 || row >= n) continue;
                for (int l = -h; l <= h; l++) {
                    int column = j + l;
                    if (column < 0 || column >= m) continue;
                    if (a[row * m + column] > most) most = a[row * m + column];
                }
            }
            b[i * m + j] = most;
        }
}

/* Sums in elements beside each other, and what a product decides. */
void spread(int n, int w, int step, const double *x, double *sums, double *change) {
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++) {
            int at = i * step + d - 1;
            if (at >= 0 && at < w) {
                sums[at] += x[i];
                change[d] += x[i] * at;
            }
        }
}
