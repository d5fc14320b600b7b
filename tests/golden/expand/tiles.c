/* Tiles of rows, by a buffer that is too large for each thread: apart, it has the elements of a row for each row. */
void tiles(int n, int tiles, double a[n][512 * tiles], const double b[n][512 * tiles]) {
    double t[512];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < tiles; k++) {
            for (int j = 0; j < 512; j++)
                t[j] = b[i][512 * k + j] * a[i][512 * k + j];
            for (int j = 0; j < 512; j++)
                a[i][512 * k + j] = t[511 - j];
        }
}
