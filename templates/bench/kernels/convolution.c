/* Convolutions of a plane, which has a margin for the taps. */
#include "kernels.h"

static void convolution(int n, int m, int taps, float in[n + taps - 1][m + taps - 1], float weight[taps][taps],
                        float out[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < taps; p++)
                for (int q = 0; q < taps; q++)
                    sum += in[i + p][j + q] * weight[p][q];
            out[i][j] = sum;
        }
}

ROW(convolution) {
    long n = size[0], m = size[1], taps = size[2];
    float *in = floats((n + taps - 1) * (m + taps - 1)), *weight = floats(taps * taps), *out = floats(n * m);
    for (int run = 0; run < runs; run++)
        convolution(n, m, taps, (void *)in, (void *)weight, (void *)out);
    free(in), free(weight), free(out);
}

/* With taps whose number is known. */
static void convolution_7x7(int n, int m, float in[n + 6][m + 6], float weight[7][7], float out[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < 7; p++)
                for (int q = 0; q < 7; q++)
                    sum += in[i + p][j + q] * weight[p][q];
            out[i][j] = sum;
        }
}

ROW(convolution_7x7) {
    long n = size[0], m = size[1];
    float *in = floats((n + 6) * (m + 6)), *weight = floats(49), *out = floats(n * m);
    for (int run = 0; run < runs; run++)
        convolution_7x7(n, m, (void *)in, (void *)weight, (void *)out);
    free(in), free(weight), free(out);
}
