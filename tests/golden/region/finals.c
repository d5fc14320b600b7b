/* Counters that are read behind their loops, or may be. */
int i, j, k;

void nest(int n, int m, double a[n][m]) {
    for (i = 1; i < n; i++)
        for (j = m - 1; j >= 0; j -= 2)
            a[i][j] = 0;
}

void triangle(int n, double a[n][n]) {
    for (k = 0; k < n; k++) {
        for (i = k + 1; i < n; i++)
            a[i][k] /= a[k][k];
        for (i = k + 1; i < n; i++)
            for (j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
}

void behind(int n, int m, double a[n][m], double *x) {
    int row, column;
    for (row = 0; row < n && row < 100; row++) {
        for (column = 0; column < m - 1; column++)
            a[row][column] = x[column];
        a[row][column] = 1;
    }
    x[row] = 2;
}

int last(int n, int m, const int *start, double *x) {
    int r, e;
    for (r = 0; r < n; r++)
        for (e = start[r]; e < start[r + 1]; e++)
            x[r] += e;
    return e;
}

int sometimes(int n, int m, double a[n][m], const int *is_wanted) {
    int r, c = -1;
    for (r = 0; r < n; r++)
        if (is_wanted[r])
            for (c = 0; c < m; c++)
                a[r][c] = 0;
    return c;
}
