/* A region that is proved for every other step: for the others the original loop runs, and reads what the step before it
   left in a variable that nobody else reads. */
#include <stdio.h>

#define ROW 24

static void relax(int n, int m, const double *a, double (*e)[ROW]) {
    int step = 0;
    for (int t = 2; t < m; t++) {
        for (int j = 0; j < 3; j++) {
            e[j][t] = e[j + 1][t] / 2 + e[j][t - 1];
#pragma rt region
            for (int k = 0; k < n; k++) { // original: a subscript leaves its row or its stated shape
                if (t % 2 == 0) step = t;
                double next = e[j + 1][2 * k] - a[k] + step + a[k + 2];
                e[j][k + j] = e[j][k + j] < next ? e[j][k + j] : next;
            }
#pragma rt end
        }
    }
}

int main(void) {
    double e[4][ROW], a[12], sum = 0;

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < ROW; j++) e[i][j] = 10 + (i * 7 + j * 5) % 11;
    for (int i = 0; i < 12; i++) a[i] = i * 3 % 7;

    relax(9, 8, a, e);

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < ROW; j++) sum += e[i][j] * (i + 3 * j);
    printf("%g\n", sum);
    return 0;
}
