/* The same where nothing is left: the statement never runs at a size at which it may; and what it declares is its own. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
static double f2587_a[4][4];
static int f2587_b[4][4][5];
static void f2587(int n, int m, float *c, long d[n + 1]) {
    int j2;
    for (int i0 = 0; i0 < n - 1; i0++) {
        if (c[i0] != 2) {
            for (j2 = 0; j2 < n; j2 += 2) {
                if (j2 > 5) {
                    for (int k3 = j2; k3 < j2 + 3; k3 += 3) {
                        int t1 = fmod((7 < f2587_b[i0][j2][k3] ? 7 : f2587_b[i0][j2][k3]) * (i0 < 2 ? k3 : f2587_a[i0][i0]), 97.0);
                        if ((((2 - f2587_b[i0][j2][k3]) * (8 + t1)) % 97) < d[n - i0 - 2]) {
                            d[n - i0 - 2] = (((2 - f2587_b[i0][j2][k3]) * (8 + t1)) % 97);
                        }
                    }
                }
            }
        }
        d[i0 + 1] = fminf(fmaxf((fminf(fmaxf((fmodf(f2587_b[i0][i0][i0] * c[i0], 97.0f) + d[i0 + 1]), -99.0f), 99.0f) + d[i0]), -99.0f), 99.0f);
    }
}
int main(void) {
    int n = 3;
    float *c = calloc(400, 4); long *d = calloc(400, 8);
    for (int i = 0; i < 400; i++) { c[i] = i % 5; d[i] = i % 11; }
    f2587(n, 10, c, d);
    for (int i = 0; i < 4; i++) printf("%ld ", d[i]);
    return 0;
}
