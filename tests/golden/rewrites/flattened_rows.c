#define N 100
double x[N][N], y[N][N], z[N][N][2];

/* One row of all elements, of two and three dimensions, with places beside the counter. */
void rows(int m, double (*a)[m]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            y[i][j] = x[0][i * N + j] + z[0][0][(i * N + j) * 2 + 1];
    for (int i = 0; i < N - 1; i++)
        for (int j = 1; j <= N - 2; j++)
            y[i][j] = x[0][N * (i + 1) + j - 1] - x[0][i * N + j + 1] + x[0][250];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < m; j++)
            a[0][m * i + j] = i;
}

/* Left alone: columns that may leave a row, other strides, other ways to go. */
void left(int n, int m, double (*a)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i][j] = x[0][i * N + j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            y[i][j] = x[0][i * N + j + 1] + x[0][i * 50 + j] + x[0][i * N - j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= m; j++)
            a[0][m * i + j] = i;
    for (int i = 0; i < N * N; i++)
        x[0][i] = 0;
}
