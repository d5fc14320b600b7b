/* Mappings that the extents of a call choose among. */
void matrix(int n, int m, double (*a)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] *= 2;
}

/* A square has no short side alone. */
void square(int n, double (*a)[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] *= 2;
}

/* Neighbours read neighbours. */
void window(long n, long w, const double *restrict a, double *restrict b) {
    for (long i = 0; i < n; i++) {
        double s = 0;
        for (long k = 0; k < w; k++)
            s += a[i + k];
        b[i] = s;
    }
}

/* A thread of its own reads a row in order, if that is short. */
void rows(int n, int m, double (*restrict a)[m], double *restrict b) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            s += a[i][j];
        b[i] = s;
    }
}

/* Rows that are never short. */
void long_rows(int n, double (*restrict a)[100], double *restrict b) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < 100; j++)
            s += a[i][j];
        b[i] = s;
    }
}

/* Points of a few coordinates leave pieces of 32 empty. */
void nearest(int n, int k, int d, const double *restrict x, const double *restrict c, int *restrict at) {
    for (int i = 0; i < n; i++) {
        double best = 1e300;
        at[i] = 0;
        for (int j = 0; j < k; j++) {
            double s = 0;
            for (int q = 0; q < d; q++)
                s += (x[i * d + q] - c[j * d + q]) * (x[i * d + q] - c[j * d + q]);
            if (s < best) {
                best = s;
                at[i] = j;
            }
        }
    }
}
