/* Products of many small matrices: tiles where matrices fill them, else a thread for each element. */
void any(int n, int m, float a[n][m][m], float b[n][m][m], float c[n][m][m]) {
    for (int q = 0; q < n; q++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) {
                float sum = 0;
                for (int k = 0; k < m; k++) sum += a[q][i][k] * b[q][k][j];
                c[q][i][j] = sum;
            }
}

void small(int n, float a[n][16][16], float b[n][16][16], float c[n][16][16]) {
    for (int q = 0; q < n; q++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                float sum = 0;
                for (int k = 0; k < 16; k++) sum += a[q][i][k] * b[q][k][j];
                c[q][i][j] = sum;
            }
}
