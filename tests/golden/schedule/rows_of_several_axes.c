/* Elements of two axes whose loops run along memory: lanes of each, with what they join. */
void normalised(int B, int T, int C, float *out, const float *in, const float *weight) {
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++) {
            const float *x = in + b * T * C + t * C;
            float s = 0;
            for (int i = 0; i < C; i++)
                s += x[i] * x[i];
            s = 1 / (s / C + 1e-5f);
            for (int i = 0; i < C; i++)
                out[b * T * C + t * C + i] = s * x[i] * weight[i];
        }
}

/* Each row adds to what other rows add to, too: one by one, by lanes. */
void gradients(int B, int T, int C, float *dweight, float *din, const float *dout, const float *in) {
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++) {
            float s = 0;
            for (int i = 0; i < C; i++)
                s += dout[(b * T + t) * C + i] * in[(b * T + t) * C + i];
            for (int i = 0; i < C; i++) {
                dweight[i] += dout[(b * T + t) * C + i] * s;
                din[(b * T + t) * C + i] += s * in[(b * T + t) * C + i];
            }
        }
}

/* All lanes go through the rows of `v`, each with elements of its own. */
void weighted(int n, int m, int w, float out[][m][w], const float a[][m][m], const float v[][m][w]) {
    for (int h = 0; h < n; h++)
        for (int t = 0; t < m; t++) {
            float all = 0;
            for (int k = 0; k <= t; k++)
                all += a[h][t][k];
            for (int i = 0; i < w; i++)
                out[h][t][i] = 0;
            for (int k = 0; k <= t; k++) {
                float x = a[h][t][k] / all;
                for (int i = 0; i < w; i++)
                    out[h][t][i] += x * v[h][k][i];
            }
        }
}

/* Neighbours of an axis lie beside each other as those of the loop do: a thread each. */
void filtered(int n, int m, float out[][n], const float in[][n + m], const float *w) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                out[i][j] += w[k] * in[i][j + k];
}

/* What the inner loop leaves is wanted in the next turn of the loop around it, where other lanes have not got it: a thread each. */
void carried(int n, int m, int w, float out[][m][w], const float a[][m][m], const float v[][m][w]) {
    for (int h = 0; h < n; h++)
        for (int t = 0; t < m; t++) {
            float all = 0, last = 0;
            for (int k = 0; k < m; k++)
                all += a[h][t][k];
            for (int k = 0; k <= t; k++) {
                for (int i = 0; i < w; i++)
                    out[h][t][i] = all * v[h][k][i] + last;
                for (int i = 0; i < w; i++)
                    last = v[h][k][i] * 0.5f;
            }
        }
}
