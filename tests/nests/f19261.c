/* A loop that runs for other sizes than those of the calls, for which it would leave the shape stated; and one for which it
   runs after all, over more elements than are stated. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#pragma rt shape(b: 2 * n + 7, 2 * m + 1)
static void f19261(int n, int m, int (*b)[9], double c[m + 1][n + 1]) {
    int k4;
    for (int i0 = 0; i0 <= m - 1; i0++) {
        for (int j1 = (0 > 9 ? 0 : 9); j1 <= m - 1; j1++) {
            float w3[5];
            for (int p2 = 0; p2 < 5; p2++) {
                w3[p2] = (((b[p2 + 2][i0] + 2)) % 97);
            }
            for (k4 = 0; k4 < n; k4++) {
                if (i0 != k4) {
                    b[k4][i0 + 2] &= (int)(fmin(fmax((fmin(b[2 * k4][i0 - j1 + 3], c[i0][k4]) - b[k4][i0]), -99.0), 99.0));
                }
            }
        }
    }
    for (int i0 = 0; i0 < m; i0++)
        for (int j1 = 0; j1 < n; j1++)
            c[i0][j1] += b[j1][i0];
}
#pragma rt shape(d: n)
static void beyond(int n, int m, double *d, double *e) {
    for (int i = 0; i < n; i++)
        e[i] += d[i];
    for (int i = 9; i < m; i++)
        d[i - m] += e[i];
}
int main(void) {
    int n = 8, m = 4, (*b)[9] = calloc(23, sizeof *b);
    double c[5][9], d[50], e[50];
    for (int i = 0; i < 23; i++) for (int j = 0; j < 9; j++) b[i][j] = i * j % 13;
    for (int i = 0; i < 5; i++) for (int j = 0; j < 9; j++) c[i][j] = i - j;
    for (int i = 0; i < 50; i++) { d[i] = i; e[i] = i % 7; }
    f19261(n, m, b, c);
    beyond(20, 9, d + 20, e);
    beyond(20, 15, d + 20, e);
    for (int i = 0; i < 5; i++) for (int j = 0; j < 9; j++) printf("%g ", c[i][j]);
    for (int i = 0; i < 50; i++) printf("%g %g ", d[i], e[i]);
    free(b);
    return 0;
}
