/* The block runs r in steps: tiles of the product are loaded in each of them. Rows that have a number of steps of their own
 * have no tiles. */
void steps(int n, int times, float a[times][n][n], float b[n][n], float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int r = 0; r < times; r++) {
                float s = 0;
                for (int k = 0; k < n; k++)
                    s += a[r][i][k] * b[k][j];
                c[i][j] = s - c[i][j];
            }
}

void rows(int n, float a[n][n], float b[n][n], float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int r = 0; r < i; r++) {
                float s = 0;
                for (int k = 0; k < n; k++)
                    s += a[i][k] * b[k][j];
                c[i][j] += s * r;
            }
}
