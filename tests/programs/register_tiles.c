// Products unrolled for registers: a short array holds what is computed for each point of a tile.
#include <stdio.h>
#include <stdlib.h>

static void forward(float *out, const float *inp, const float *weight, const float *bias, int B, int T, int C, int OC) {
    const int UNROLL = 8;
    for (int obt = 0; obt < B * T; obt += UNROLL) { // original: a subscript leaves its row or its stated shape, or an unsigned bound wraps, for these sizes
        for (int o = 0; o < OC; o++) {
            float result[UNROLL];
            for (int ibt = 0; ibt < UNROLL; ibt++) result[ibt] = (bias != NULL) ? bias[o] : 0.0f;
            for (int i = 0; i < C; i++) {
                float w = weight[i + o * C];
                for (int ibt = 0; ibt < UNROLL; ibt++) {
                    int bt = obt + ibt;
                    result[ibt] += inp[bt * C + i] * w;
                }
            }
            for (int ibt = 0; ibt < UNROLL; ibt++) out[(obt + ibt) * OC + o] = result[ibt];
        }
    }
}

/* The same in two loops, with the least and the largest of each column. */
static void extremes(int n, int m, double *low, double *high, const double *x) {
    for (int j = 0; j < m; j += 4) {
        double least[4], most[4];
        for (int k = 0; k < 4; k++) least[k] = most[k] = x[j + k];
        for (int i = 1; i < n; i++)
            for (int k = 0; k < 4; k++) {
                if (x[i * m + j + k] < least[k]) least[k] = x[i * m + j + k];
                if (x[i * m + j + k] > most[k]) most[k] = x[i * m + j + k];
            }
        for (int k = 0; k < 4; k++) low[j + k] = least[k];
        for (int k = 0; k < 4; k++) high[j + k] = most[k];
    }
}

/* What is written is read by the next point: the tiles stay. */
static void next(int n, int m, double *x) {
    for (int j = 4; j + 4 <= m; j += 4) {
        double r[4];
        for (int k = 0; k < 4; k++) r[k] = 0;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 4; k++) r[k] += x[i * m + j + k - 1];
        for (int k = 0; k < 4; k++) x[j + k] = r[k] * 0.25;
    }
}

static double sum(int n, const double *x) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * (i % 3 + 1);
    return s;
}

int main(void) {
    enum { B = 3, T = 16, C = 30, OC = 21, rows = 40, columns = 64 };
    float *out = malloc(sizeof(float) * (B * T + 8) * OC), *inp = malloc(sizeof(float) * (B * T + 8) * C);
    float *weight = malloc(sizeof(float) * OC * C), *bias = malloc(sizeof(float) * OC);
    double *x = malloc(sizeof(double) * rows * columns), low[columns], high[columns];
    for (int i = 0; i < (B * T + 8) * C; i++) inp[i] = (i * 7 % 13) * 0.25f - 1;
    for (int i = 0; i < OC * C; i++) weight[i] = (i * 5 % 11) * 0.25f - 1;
    for (int i = 0; i < OC; i++) bias[i] = i * 0.5f;
    for (int i = 0; i < rows * columns; i++) x[i] = (i * 37 % 101) * 0.01 - 0.3;
    for (int k = 0; k < 3; k++) {
        double s = 0;
        forward(out, inp, weight, k == 1 ? NULL : bias, B, T - (k == 2), C, OC); /* 45 is no multiple of 8 */
        const int n = B * (T - (k == 2)) * OC;
        for (int i = 0; i < n; i++) s += out[i] * (i % 5);
        printf("%.6g\n", s);
    }
    extremes(rows, columns, low, high, x);
    printf("%.6g %.6g\n", sum(columns, low), sum(columns, high));
    next(rows, columns, x);
    printf("%.6g\n", sum(rows * columns, x));
    free(out), free(inp), free(weight), free(bias), free(x);
    return 0;
}
