#include <stdio.h>
#include <math.h>

void f652(int n, double a[n + 2][2 * n + 1], double b[n][2 * n + 1], double d[2 * n + 1][2 * n + 1]) {
    double t0 = 0;
    for (long i0 = 2; i0 < n; i0++) {
        for (int j1 = (0 > 1 ? 0 : 1); j1 <= i0 - 1; j1 += 3) {
            d[2 * j1][i0] = a[i0][j1];
        }
        for (int j2 = n - 3; j2 >= 0; j2--) {
            t0 = 2 - b[i0][j2];
            d[j2][n - i0 - 1] = b[i0][j2] + 9;
            double t1 = fabs(-(t0));
            d[i0][j2] = t1 + a[i0][j2];
        }
    }
}
int main(void) {
    static double a[12][21], b[10][21], d[21][21];
    for (int i = 0; i < 21; i++)
        for (int j = 0; j < 21; j++) {
            if (i < 12) a[i][j] = (i * 5 + j) % 7;
            if (i < 10) b[i][j] = (i * 3 + j) % 11;
            d[i][j] = i + j;
        }
    f652(10, a, b, d);
    double sum = 0;
    for (int i = 0; i < 21; i++)
        for (int j = 0; j < 21; j++)
            sum = sum * 3 / 4 + d[i][j];
    printf("%g\n", sum);
    return 0;
}
