/* With few threads each loads for itself, many iterations at once, where pieces in shared memory would be waited for. */
void horner(int n, int m, const short a[restrict n][m], double *restrict y) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++)
            s = s * 0.5 + a[i][k];
        y[i] = s;
    }
}

/* Pieces are copied while others are computed with. */
void copied(int n, int m, const double a[restrict n][m], double *restrict y) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++)
            s = s * 0.5 + a[i][k];
        y[i] = s;
    }
}

/* One piece holds all of it. */
void one_piece(int n, const short a[restrict n][20], double *restrict y) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < 20; k++)
            s = s * 0.5 + a[i][k];
        y[i] = s;
    }
}

/* Nothing is loaded ahead of what is stored on the way. */
void stores(int n, int m, const short a[restrict n][m], double b[restrict m][n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++) {
            s = s * 0.5 + a[i][k];
            b[k][i] = s;
        }
    }
}
