/* Scalars and small arrays that live in one iteration: a median of nine, and a 4x4 block transform. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 44
#endif
#ifndef M
#define M 60
#endif

static int noise(void) {
    static unsigned seed = 24;
    seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 16 & 0xff);
}

static void median(int n, int m, int in[n][m], int out[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int w[9];
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    w[3 * p + q] = in[i + p - 1][j + q - 1];
            for (int p = 0; p < 5; p++)
                for (int q = p + 1; q < 9; q++)
                    if (w[q] < w[p]) {
                        int t = w[p];
                        w[p] = w[q];
                        w[q] = t;
                    }
            out[i][j] = w[4];
        }
}

static void transform(int n, int m, int in[n][m], int out[n][m]) {
    int h[4][4];
    for (int bi = 0; bi < n / 4; bi++)
        for (int bj = 0; bj < m / 4; bj++) {
            for (int p = 0; p < 4; p++) {
                int a = in[4 * bi + p][4 * bj], b = in[4 * bi + p][4 * bj + 1];
                int c = in[4 * bi + p][4 * bj + 2], d = in[4 * bi + p][4 * bj + 3];
                h[p][0] = a + b + c + d;
                h[p][1] = a - b + c - d;
                h[p][2] = a + b - c - d;
                h[p][3] = a - b - c + d;
            }
            for (int q = 0; q < 4; q++) {
                out[4 * bi][4 * bj + q] = h[0][q] + h[1][q] + h[2][q] + h[3][q];
                out[4 * bi + 1][4 * bj + q] = h[0][q] - h[1][q] + h[2][q] - h[3][q];
                out[4 * bi + 2][4 * bj + q] = h[0][q] + h[1][q] - h[2][q] - h[3][q];
                out[4 * bi + 3][4 * bj + q] = h[0][q] - h[1][q] - h[2][q] + h[3][q];
            }
        }
}

/* A small table of the function's own, which is only read: every thread sees the one that there is. */
static void weighed(int n, int m, int in[n][m], int out[n][m]) {
    int weight[3] = {1, 2, 1};
    weight[1] = n % 5;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int sum = 0;
            for (int k = 0; k < 3; k++)
                sum += weight[k] * in[i][j + k - 1];
            out[i][j] += sum;
        }
}

int main(void) {
    int(*in)[M] = malloc(sizeof(int[N][M]));
    int(*mid)[M] = calloc(N, sizeof(int[M]));
    int(*out)[M] = calloc(N, sizeof(int[M]));
    long check = 0;
    if (!in || !mid || !out)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            in[i][j] = noise();
    median(N, M, in, mid);
    transform(N, M, mid, out);
    weighed(N, M, in, out);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check += (long)out[i][j] * (1 + (i + 3 * j) % 11);
    printf("private %ld\n", check);
    free(in);
    free(mid);
    free(out);
    return 0;
}
