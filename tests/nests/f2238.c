/* An element is read for no sizes that there are: of how many rows that takes isl makes no expression. */
#include <stdio.h>
#include <stdlib.h>
static unsigned out;
static void f2238(int n, int m, int a[n + m + 1][n + m + 2], unsigned char c[n + 2 * m + 1][2 * n + m + 1], int d[2 * n + m + 9][2 * n + m + 1]) {
    unsigned s0 = 0;
    int j1;
    int t;
    t = 0;
    do {
        for (int i0 = 0; i0 != m; i0++) {
            for (j1 = 2; j1 < m; j1++) {
                s0 += (i0 != 1 ? ((unsigned)a[j1][m - i0 - 1] - (unsigned)i0) : (i0 % 2 == 0 ? (unsigned)d[i0 - j1 + 11][j1] : (unsigned)a[j1][i0 + 2]));
            }
            for (int j2 = 0; j2 < i0 + 1; j2++) {
                s0 ^= (((unsigned)2 + (unsigned)c[j2][i0]) + ((unsigned)4 < (unsigned)a[i0][j2] ? (unsigned)4 : (unsigned)a[i0][j2]));
                s0 += ((unsigned)d[j2][i0] ^ (unsigned)d[j2][i0]);
            }
        }
        t++;
    } while (t < 4 && s0 <= 19);
    out = s0;
}
int main(void) {
    int n = 4, m = 12;
    int (*a)[n + m + 2] = malloc(sizeof(int[n + m + 1][n + m + 2]));
    unsigned char (*c)[2 * n + m + 1] = malloc(sizeof(unsigned char[n + 2 * m + 1][2 * n + m + 1]));
    int (*d)[2 * n + m + 1] = malloc(sizeof(int[2 * n + m + 9][2 * n + m + 1]));
    for (int i = 0; i < n + m + 1; i++) for (int j = 0; j < n + m + 2; j++) a[i][j] = (i * 7 + j * 3) % 11;
    for (int i = 0; i < n + 2 * m + 1; i++) for (int j = 0; j < 2 * n + m + 1; j++) c[i][j] = (i * 5 + j) % 13;
    for (int i = 0; i < 2 * n + m + 9; i++) for (int j = 0; j < 2 * n + m + 1; j++) d[i][j] = (i + j * 2) % 9;
    f2238(n, m, a, c, d);
    printf("%u\n", out);
    free(a), free(c), free(d);
    return 0;
}
