/* How long rows are is computed from what is touched of them: where no size fills the loops it is a negative number. */
#include <stdio.h>
#include <stdlib.h>
static void set(int n, int m, float **b) {
    for (int i = 0; i != m - 2; i++)
        for (int j = 2; j <= n - 3; j += 2) b[i][n - j - 3] = 4;
}
static void add(int n, int m, float **b) {
    for (int i = 0; i < m - 2; i++)
        for (int j = 2; j <= n - 3; j += 2) b[i][n - j - 3] += b[i + 1][2 * n - j - 3];
}
static void fill(int n, int m, int k, float ***c) {
    for (int i = 0; i < m - 1; i++)
        for (int j = 0; j < n - 3; j++)
            for (int l = 0; l < k - 2; l++) c[i][j][l] += i + j * l;
}
int main(void) {
    enum { SIZE = 20 };
    float *b[SIZE], **c[SIZE];
    for (int i = 0; i < SIZE; i++) {
        b[i] = calloc(SIZE, sizeof **b);
        c[i] = calloc(SIZE, sizeof **c);
        for (int j = 0; j < SIZE; j++) c[i][j] = calloc(SIZE, sizeof ***c);
    }
    int sizes[][2] = {{3, 6}, {-10, 6}, {10, 6}, {2, 6}, {10, 1}, {9, 9}};
    for (int s = 0; s < 6; s++) {
        int n = sizes[s][0], m = sizes[s][1];
        if (m > 1) set(n, m, b);
        add(n, m, b);
        fill(n, m, m, c);
        fill(m, n, m - 6, c);
    }
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            sum += b[i][j] * (i + 2 * j + 1);
            for (int k = 0; k < SIZE; k++) sum += c[i][j][k] * (i + 3 * j + 5 * k);
        }
    printf("%g\n", sum);
    return 0;
}
