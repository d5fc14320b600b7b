/* L X = B for a lower triangular L and as many right sides as rows; X takes the place of B. */
#include "kernels.h"

static void strsm(int n, float l[n][n], float b[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            for (int j = 0; j < n; j++)
                b[i][j] -= l[i][k] * b[k][j];
        for (int j = 0; j < n; j++)
            b[i][j] /= l[i][i];
    }
}

ROW(strsm) {
    long n = size[0];
    float *l = floats(n * n), *b = floats(n * n);
    /* Above the sums of the rows: nothing grows. */
    for (long i = 0; i < n; i++)
        l[i * n + i] = 2.0f * n;
    for (int run = 0; run < runs; run++)
        strsm(n, (void *)l, (void *)b);
    free(l), free(b);
}
