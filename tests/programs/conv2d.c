/* Two-dimensional convolution of an image with a small square kernel; the border is left out. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 77
#endif
#define R 2 /* radius of the kernel */
#define K (2 * R + 1)

static float uniform(void) {
    static unsigned seed = 9;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0f;
}

static void conv2d(float (*in)[M], const float w[K][K], float (*out)[M]) {
    for (int i = R; i < N - R; i++)
        for (int j = R; j < M - R; j++) {
            float sum = 0.0f;
            for (int p = -R; p <= R; p++)
                for (int q = -R; q <= R; q++)
                    sum += in[i + p][j + q] * w[p + R][q + R];
            out[i][j] = sum;
        }
}

int main(void) {
    float(*in)[M] = malloc(N * sizeof *in);
    float(*out)[M] = calloc(N, sizeof *out);
    float w[K][K];
    double check = 0.0;
    if (!in || !out)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            in[i][j] = uniform();
    for (int p = 0; p < K; p++)
        for (int q = 0; q < K; q++)
            w[p][q] = uniform() / (K * K);
    conv2d(in, (const float(*)[K])w, out);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check += out[i][j] * (1 + (i + j) % 7);
    printf("conv2d %.6e\n", check);
    free(in);
    free(out);
    return 0;
}
