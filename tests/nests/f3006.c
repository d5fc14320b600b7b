/* isl ends with a fault of its own where it writes how far the rows of `e` are read. */
#include <stdio.h>
#include <stdlib.h>
static long f3006_a[22][15];
#pragma rt shape(b: m + 2, n + m + 1)
#pragma rt shape(d: n + m + 1, m + 3)
static void f3006(int n, int m, int (*b)[15], int (*d)[10], int **e) {
    for (int i0 = 1; i0 < m; i0++) {
        d[i0][2] = ((((i0 > 5 || i0 % 2 == 1) ? (9 - i0) * (5 > f3006_a[i0][i0] ? 5 : f3006_a[i0][i0]) : (e[i0 + 1][i0 - 1] - b[i0][i0 + 1]) * (4 - b[m - i0 - 1][i0]))) % 97);
    }
    for (int i1 = 1; i1 < m; i1++) {
        float t0 = ((-(b[i1 + 2][i1])) % 97);
        for (int j2 = 0; j2 != m; j2++) {
            if (e[i1][j2] < 1) {
            }
        }
    }
    for (int i4 = 1; i4 < n - 2; i4 += 3) {
        float w5[4];
        for (int p5 = 0; p5 < 4; p5++) {
            w5[p5] = e[i4][i4 + 2];
        }
        for (int p6 = 0; p6 < 4; p6++) {
            d[i4][2 * p6] = w5[p6];
        }
    }
}
int main(void) {
    int n = 7, m = 7;
    int (*b)[15] = malloc(sizeof(int[20][15]));
    int (*d)[10] = malloc(sizeof(int[20][10]));
    int **e = malloc(20 * sizeof *e);
    for (int i = 0; i < 20; i++) {
        e[i] = malloc(20 * sizeof **e);
        for (int j = 0; j < 20; j++) e[i][j] = (i * 7 + j * 3) % 11 - 5;
        for (int j = 0; j < 15; j++) b[i][j] = (i * 5 + j * 3) % 13 - 5;
        for (int j = 0; j < 10; j++) d[i][j] = (i + j * 3) % 7;
    }
    f3006(n, m, b, d, e);
    for (int i = 0; i < 15; i++) for (int j = 0; j < 10; j++) printf("%d\n", d[i][j]);
    for (int i = 0; i < 20; i++) free(e[i]);
    free(b), free(d), free(e);
    return 0;
}
