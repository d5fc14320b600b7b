void transpose(int n, double (*a)[n], double (*b)[n]) {
    double tile[16][16];
    for (int ii = 0; ii < n; ii += 16)
        for (int jj = 0; jj < n; jj += 16) {
            for (int i = 0; i < 16; i++)
                for (int j = 0; j < 16; j++)
                    tile[i][j] = a[ii + i][jj + j];
            for (int i = 0; i < 16; i++)
                for (int j = 0; j < 16; j++)
                    b[jj + j][ii + i] = tile[i][j];
        }
}
