/* A thread has several points: a block apart (merge) or neighbours (skew), along the axis that suits one figure best or
 * along those that are named. */
void line(int n, double *a, const double *b) {
#pragma rt merge(4)
    for (int i = 0; i < n; i++)
        a[i] = 2 * b[i];
}

void plane(int n, int m, double a[n][m], double b[n][m]) {
#pragma rt skew(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = b[i][j] + 1;
}

/* Neighbours along j read the same element of b: one figure is for i, whose points share it. */
void shared(int n, int m, double a[n][m], const double *b) {
#pragma rt merge(4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = b[j];
}

void space(int n, double a[n][n][n], double b[n][n][n]) {
#pragma rt merge(i: 2) skew(k: 4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i][j][k] = b[i][j][k];
}

/* Both kinds along one axis: pieces of neighbours, each piece a block apart from the next. */
void both(int n, double *a) {
#pragma rt merge(2) skew(4) block(64)
    for (int i = 0; i < n; i++)
        a[i] += 1;
}
