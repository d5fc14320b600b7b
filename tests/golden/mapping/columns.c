/* Sums of columns of several planes: lanes are rows of the block, neighbours lie along the last axis, be it short. */
void pooled(int n, int p, int c, float a[n][p][c], float s[n][c]) {
    for (int q = 0; q < n; q++)
        for (int k = 0; k < c; k++) {
            float sum = 0;
            for (int i = 0; i < p; i++) sum += a[q][i][k];
            s[q][k] = sum;
        }
}

void colours(int h, int w, float a[h][w][3], float s[h][3]) {
    for (int y = 0; y < h; y++)
        for (int c = 0; c < 3; c++) {
            float sum = 0;
            for (int x = 0; x < w; x++) sum += a[y][x][c];
            s[y][c] = sum;
        }
}

/* Neighbours share what they load: points of a thread. */
void filtered(int n, int m, int taps, float a[n][m + taps], float w[taps], float s[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < taps; k++) sum += w[k] * a[i][j + k];
            s[i][j] = sum;
        }
}
