#include <stdio.h>
static float f964_e[11];
#pragma rt shape(b: 2 * n + 1, n + 1)
void f964(int n, int m, const unsigned *a, unsigned (*b)[11]) {
    for (int i2 = 0; i2 < n - 1; i2++) {
        if (i2 % 2 == 0) {
            f964_e[i2] *= i2 > 5 ? -1 : 1;
        }
        for (int j3 = i2; j3 < i2 + 2; j3++) {
            if (j3 + i2 < 5) {
                f964_e[i2 + 2] *= ((int)(a[i2 * (n + 1) + j3] & 63u) > 4 && j3 == 1) ? -1 : 1;
            }
        }
        for (int j4 = (1 > i2 ? 1 : i2); j4 < n; j4++) {
            if (((int)(b[i2][j4] & 63u) - 7) < f964_e[i2]) {
                f964_e[i2] = ((int)(b[i2][j4] & 63u) - 7);
            }
        }
    }
}
int main(void) {
    static unsigned a[121], b[21][11];
    for (int k = 0; k < 121; k++)
        a[k] = k * 7 % 19;
    for (int k = 0; k < 231; k++)
        b[k / 11][k % 11] = k * 5 % 61;
    for (int k = 0; k < 11; k++)
        f964_e[k] = k % 3 - 1;
    f964(10, 12, a, b);
    for (int k = 0; k < 11; k++)
        printf("%g ", f964_e[k]);
    return 0;
}
