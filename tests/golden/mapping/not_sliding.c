/* Calls with many elements and taps have windows, backwards too; a sum of few taps that are known has none, nor has one
   whose iterations need the value of the one before. */
void filtered(int n, int taps, const double *restrict x, const double *restrict h, double *restrict y) {
    for (int i = taps; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < taps; k++) sum += x[i - k] * h[k];
        y[i] = sum;
    }
}
void few(int n, int m, float in[n + 4][m + 4], float weight[5][5], float out[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < 5; p++)
                for (int q = 0; q < 5; q++) sum += in[i + p][j + q] * weight[p][q];
            out[i][j] = sum;
        }
}
void chained(int n, int taps, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < taps; k++) sum = 0.5 * sum + x[i + k];
        y[i] = sum;
    }
}
