static float f154_a[9];
#pragma rt shape(d: n + 1, n + 1)
#pragma rt shape(f: n + 1, n + 1)
void f154(int n, int m, unsigned c[n + 1], double (*d)[9], double e[n + 1], int *f) {
    int s0 = 0;
    int j3;
    for (int i2 = 2; i2 <= n - 1; i2++) {
        for (j3 = n - 3; j3 > -1; j3--) {
            if (j3 == 1) {
                e[i2] += ((s0) % 97);
            }
            e[i2] += fmod(((((s0) % 97) + f154_a[i2]) + (((2 + s0)) % 97)) * fmod((f[i2 * (n + 1) + j3] - (s0 + d[n - i2 - 1][j3])), 97.0), 97.0);
            double w6[4];
            for (int p4 = 0; p4 < 4; p4++) {
                w6[p4] = (((int)(c[n - j3 - 3] & 63u) * (int)(c[i2] & 63u)) % 97);
            }
            for (int p5 = 0; p5 < 4; p5++) {
                e[i2 - 1] += fmin(fmax(w6[p5], -99.0), 99.0);
            }
        }
    }
}
#include <stdio.h>
int main(void) {
    static unsigned c[9]; static double d[9][9], e[9]; static int f[81];
    for (int k = 0; k < 9; k++) { c[k] = k * 7 % 19; e[k] = k % 5; f154_a[k] = k % 7; for (int l = 0; l < 9; l++) { d[k][l] = (k * 3 + l) % 17 - 8; f[k * 9 + l] = (k * 5 + l) % 19 - 9; } }
    f154(8, 0, c, d, e, f);
    for (int k = 0; k < 9; k++) printf("%g ", e[k]);
    return 0;
}
