/* Products of doubles are computed by warps, as matrices: factors in any order of memory, taken away as well as added, and
 * bounds that only some points share. */
void transposed(int n, int m, int p, double a[p][n], double b[m][p], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] -= b[j][k] * a[k][i];
}

void batched(int l, int n, double a[l][n][n], double b[l][n][n], double c[l][n][n]) {
    for (int h = 0; h < l; h++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++)
                    sum += a[h][i][k] * b[h][k][j];
                c[h][i][j] = 2 * sum + c[h][i][j];
            }
}

void triangle(int n, int m, double a[n][n], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k <= i; k++)
                c[i][j] += a[i][k] * b[k][j];
}

void two_sums(int n, double a[n][n], double b[n][n], double c[n][n], double d[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                c[i][j] += a[i][k] * b[k][j];
                d[i][j] += a[i][k] * b[k][j];
            }
}

void scaled(int n, double alpha, double a[n][n], double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += alpha * a[i][k] * b[k][j];
}

void single(int n, float a[n][n], float b[n][n], float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}

void mixed(int n, double a[n][n], double b[n][n], float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}

void few(double a[200][200], double b[200][200], double c[200][200]) {
    for (int i = 0; i < 200; i++)
        for (int j = 0; j < 200; j++)
            for (int k = 0; k < 200; k++)
                c[i][j] += a[i][k] * b[k][j];
}
