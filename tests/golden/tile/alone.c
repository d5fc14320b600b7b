/* Left alone: what is written is not staged, few iterations are not worth it, and one read of many gains little. */
void written(int n, double a[n][n], double b[n][n]) {
#pragma rt block(64)
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            for (int k = i + 1; k < n; k++)
                b[i][j] += a[k][i] * b[k][j];
}

void few(int n, double a[n][4], double b[4][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 4; k++)
                c[i][j] += a[i][k] * b[k][j];
}

void mostly_own(int n, int m, double w[m], double in[n][n + m], double out[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                out[i][j] += w[k] * in[i][j + k];
}
