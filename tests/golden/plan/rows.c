/* Rows behind pointers: what of each is there and moves, over the row's own subscripts. */
void triangle(int n, double **l) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            l[i][j] *= 0.5;
}

void interior(int n, int m, double **u, double *v[n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i][j] = u[i][j - 1] + u[i][j + 1];
}

void from_one(int n, float ***q) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            for (int k = 1; k <= n; k++)
                q[i][j][k] = 0;
}

#pragma rt shape(a: n, m)
void stated(int n, int m, double **a, const int *col, double *x) {
    for (int i = 0; i < n; i++)
        x[i] = a[i][col[i]];
}

/* A table of constants stays what it was: arrays of their own. */
void table(int n, double **f) {
    for (int i = 0; i < n; i++)
        f[1][i] = f[0][i];
}

/* One matrix, whatever its subscripts. */
void border(int n, double **a) {
    for (int j = 0; j < n; j++)
        a[0][j] = 0;
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[0][j] + i;
}
