#include <stdio.h>
#include <math.h>
static double f923_c[20][12], f923_f[20];
void f923(int n, int m, float d[n + 1], unsigned e[2 * n + 1][n + 2 * m + 1]) {
    for (int i0 = 0; i0 <= m - 3; i0++) {
        for (int j1 = 2; j1 < n; j1++) {
            double t0 = fmin(fmax(((f923_c[i0][j1] + d[j1]) - (f923_f[j1] + (int)(e[j1][2 * i0] & 63u))), -99.0), 99.0);
            f923_f[j1] *= j1 <= i0 ? -1 : 1;
            f923_f[j1 + i0] = fmax(f923_f[j1 + i0], 1);
        }
    }
}
int main(void) {
    static float d[10];
    static unsigned e[19][22];
    for (int k = 0; k < 10; k++)
        d[k] = k * 3 % 7;
    for (int k = 0; k < 20; k++)
        f923_f[k] = k * 5 % 11 - 5;
    f923(9, 6, d, e);
    for (int k = 0; k < 20; k++)
        printf("%g ", f923_f[k]);
    return 0;
}
