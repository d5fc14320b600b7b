/* One row of a table, by strides: an array of its own. */
static double *rows[4], *others[4];
void one(int g, int n, int m) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) rows[g][j * n + i] += 0.5 * others[g + 1][j * n + i];
}
/* These stay: rows are chosen by a counter, two are used, there are no strides, it is a parameter, it is set meanwhile. */
void all(int n, int m) {
    for (int g = 0; g < 4; g++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) rows[g][j * n + i] = 0;
}
void two(int g, int h, int n, int m) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) rows[g][j * n + i] += rows[h][j * n + i];
}
void flat(int g, int n) {
    for (int i = 0; i < n; i++) rows[g][i] = 0;
}
void given(double *a[4], int g, int n, int m) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) a[g][j * n + i] = 0;
}
void moves(int g, int n, int m) {
    while (g-- > 0)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) rows[g][j * n + i] = 0;
}
