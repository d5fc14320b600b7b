/* Rows too short for a warp: a few lanes for each, at calls with many of them; where their length is known, at every call. */
void sums(int n, int m, const float *a, float *s) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += a[i * m + j];
        s[i] = sum;
    }
}

void planes(int n, int m, float a[n][m][48], float s[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < 48; k++) sum += a[i][j][k];
            s[i][j] = sum;
        }
}

/* Points of few iterations keep a thread each. */
void triples(int n, int m, float a[n][m][3], float s[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < 3; k++) sum += a[i][j][k];
            s[i][j] = sum;
        }
}
