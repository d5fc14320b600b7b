/* What one thread of a block stores another stores to behind a barrier: no pointer may promise that nobody else does. */
#include <stdio.h>
#include <stdlib.h>
#pragma rt shape(b: n + 1, 2 * n + 1, n + m + 1)
static void f9345(int n, int m, const double *a, long *b, unsigned c[n + 1], double **e) {
    for (int i0 = 0; i0 <= n - 1; i0++) {
        if (i0 % 2 == 0) {
            for (long j1 = 1; j1 != n - 2; j1++) {
                b[(i0 * (2 * n + 1) + j1) * (n + m + 1) + 0] = ((i0 + j1) % 2 == 0 ? 4 : (e[i0][j1] + e[i0][j1 + 1]));
            }
        }
        b[(i0 * (2 * n + 1) + 2) * (n + m + 1) + 0] = (i0 == 0 ? e[i0][i0] : (int)(c[i0] & 63u)) * a[i0];
    }
}
int main(void) {
    int n = 7, m = 7;
    double *a = calloc(400, 8), *rows[20];
    long *b = calloc(8 * 15 * 15 + 100, sizeof *b);
    unsigned *c = calloc(400, 4);
    for (int i = 0; i < 20; i++) { rows[i] = calloc(20, 8); for (int j = 0; j < 20; j++) rows[i][j] = i + j; a[i] = i; c[i] = i; }
    f9345(n, m, a, b, c, rows);
    long s = 0;
    for (int i = 0; i < 8 * 15 * 15; i++) s += b[i] * (i % 7 + 1);
    printf("%ld\n", s);
    return 0;
}
