/* A cell of a tile is loaded where some point reads it: no matter which axes, and whether there is such a point at all. */
#include <math.h>
#include <stdio.h>
static double a[3][10][40], b[10][60], c[30][3][10][60];
#pragma rt shape(b: m + 1, m + 1)
static void begins_along_another_axis(int m, double a[2 * m + 1], int *b, unsigned char *c) {
    for (int i = 2; i != m; i++) {
        for (int j = i + 1; j <= m - 1; j++) {
            for (int k = 1; k <= 7; k++) c[i * (m + 8) + k] += (int)(a[k] + 2 + a[j]);
            for (int k = 0; k < m - 1; k++)
                if (k + i < 8) b[i * (m + 1) + j] ^= (int)(a[m - j - 1] < 5 ? a[2] : a[k]);
            c[i * (m + 8) + j] = (int)(a[i] + j);
        }
    }
}
static void ends_within_a_loop_around(int p, int q, int m, int n) {
    for (int u = 0; u < p; u++)
        for (int v = 0; v < q; v++)
            for (int i = u; i < m; i++)
                for (int j = 0; j < n; j++)
                    for (int k = 0; k < u; k++) c[u][v][i][j] += fabs(a[v][i][k]) * fabs(b[k][j]);
}
static void never(int n, int p, int q, int w) {
    for (int i = 0; i < n; i++)
        for (int j = i + p; j < i + q; j++)
            for (int k = 0; k < w; k++) c[0][0][i][j] += fabs(a[0][i][k]) * fabs(b[k][j]);
}
int main(void) {
    static int ints[2000];
    static unsigned char chars[2000];
    for (int v = 0; v < 3; v++)
        for (int i = 0; i < 10; i++)
            for (int k = 0; k < 40; k++) a[v][i][k] = (v + i * 7 + k) % 13 + 1;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 60; j++) b[i][j] = (i * 5 + j) % 7;
    begins_along_another_axis(6, a[0][0], ints, chars);
    ends_within_a_loop_around(30, 3, 10, 60);
    never(10, 3, 10, 10);
    never(10, 10, 5, 100);
    double s = 0;
    for (int u = 0; u < 30; u++)
        for (int v = 0; v < 3; v++)
            for (int i = 0; i < 10; i++)
                for (int j = 0; j < 60; j++) s += c[u][v][i][j] * (u + v + i + j % 7);
    for (int i = 0; i < 2000; i++) s += ints[i] * (i % 7 + 1) + chars[i];
    printf("%g\n", s);
    return 0;
}
