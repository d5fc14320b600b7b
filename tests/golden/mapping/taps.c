/* Loops that all points run alike run around the points of a thread: what these share is loaded once. The second sum's
   bounds differ from point to point: it stays with it, and a thread has one. */
void seven(int n, int m, float in[n + 6][m + 6], float weight[7][7], float out[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < 7; p++)
                for (int q = 0; q < 7; q++) sum += in[i + p][j + q] * weight[p][q];
            out[i][j] = sum;
        }
}
void wedge(int n, int m, float in[n + 6][m + 6], float out[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < 7; p++)
                for (int q = 0; q <= j % 3; q++) sum += in[i + p][j + q];
            out[i][j] = sum;
        }
}
