/* Rows become columns. */
#include "kernels.h"

static void transpose(int n, int m, float a[n][m], float b[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][j];
}

ROW(transpose) {
    long n = size[0], m = size[1];
    float *a = floats(n * m), *b = floats(n * m);
    for (int run = 0; run < runs; run++)
        transpose(n, m, (void *)a, (void *)b);
    free(a), free(b);
}
