void product(int n, int m, int l, float *c, const float *a, const float *w) {
    for (int ii = 0; ii < n; ii += 8)
        for (int j = 0; j < m; j++) {
            float r[8];
            for (int p = 0; p < 8; p++) r[p] = 0;
            for (int k = 0; k < l; k++) {
                float b = w[j * l + k];
                for (int p = 0; p < 8; p++) {
                    int i = ii + p;
                    r[p] += a[i * l + k] * b;
                }
            }
            for (int p = 0; p < 8; p++) c[(ii + p) * m + j] = r[p];
        }
}
