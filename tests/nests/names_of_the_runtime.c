/* What is made of a variable is called after it, and never as something of the runtime's is. */
#include <stdio.h>
static double sums(int n, const double *x, const double *y) {
    double joined = 0, blocks = 0, barrier = -1, error = 1;
    for (int i = 0; i < n; i++) joined += x[i];
    for (int i = 0; i < n; i++) blocks += x[i] * y[i];
    for (int i = 0; i < n; i++) barrier = x[i] > barrier ? x[i] : barrier;
    for (int i = 0; i < n; i++) error += y[i];
    return joined + blocks + barrier + error;
}
static void smooth(int n, int m, double x[m][n], double y[m][n]) {
    double work, tile, thread, share[5];
    for (int k = 0; k < 5; k++) share[k] = k;
    for (int i = 1; i < m; i++) {
        work = 0;
        for (int j = 0; j < n; j++) work += x[i][j];
        tile = work * 2;
        thread = tile - x[i][0];
        for (int j = 1; j < n; j++) y[i][j] = y[i - 1][j] + work + tile * thread + share[j % 5];
    }
}
int main(void) {
    static double x[40][30], y[40][30], sum;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++) x[i][j] = (i * 7 + j * 3) % 5, y[i][j] = i % 3;
    smooth(30, 40, x, y);
    sum = sums(1200, &x[0][0], &y[0][0]);
    printf("%g\n", sum);
    return 0;
}
