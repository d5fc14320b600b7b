/* Each plane in order, and within it the nest by wavefronts: the loops over the unknowns of a point go along. */
void sweep(int n, int m, double v[m][n][n][2], double s[n][n][2][2]) {
    for (int k = 1; k < m; k++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                for (int p = 0; p < 2; p++)
                    v[k][i][j][p] -= s[i][j][p][0] * v[k - 1][i][j][0] + s[i][j][p][1] * v[k - 1][i][j][1];
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++) {
                double row[2];
                for (int p = 0; p < 2; p++)
                    row[p] = v[k][i][j][p] - s[i][j][p][0] * v[k][i - 1][j][0] - s[i][j][p][1] * v[k][i][j - 1][1];
                double d = s[i][j][0][0] * s[i][j][1][1] - s[i][j][0][1] * s[i][j][1][0];
                v[k][i][j][0] = (row[0] * s[i][j][1][1] - row[1] * s[i][j][0][1]) / d;
                v[k][i][j][1] = (row[1] * s[i][j][0][0] - row[0] * s[i][j][1][0]) / d;
            }
    }
}
