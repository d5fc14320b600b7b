void stream(int n, int m, int (*solid)[m], double (*f)[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (solid[i][j])
                continue;
            double rho = f[0][i][j];
            for (int q = 1; q < 9; q++)
                f[q][i][j] += rho;
        }
}
