/* A statement that never runs would leave the shape stated; where the loop around it is not seen, its counter is any number. */
#include <stdio.h>
#include <stdlib.h>
static unsigned char f18912_e[23];
#pragma rt shape(d: n + 1)
static void f18912(int n, int m, const int *a, double b[n + m + 3], int c[6][n + 7], unsigned char *d) {
    long i0;
    int j1;
    for (i0 = n - 3; i0 >= 0; i0--) {
        for (j1 = 0; j1 <= 2; j1 += 3) {
            for (int k2 = 0; k2 < 7; k2++) {
                if ((a[i0] + f18912_e[i0]) < b[j1]) {
                    b[j1] = (a[i0] + f18912_e[i0]);
                }
            }
            if (j1 <= i0) {
                b[i0] *= (j1 == 4 && i0 > 5) ? -1 : 1;
            } else {
                c[j1][i0] = (d[i0] - (int)i0);
            }
        }
    }
}
#pragma rt shape(d: n + 1)
static void inside(int n, int m, double *x, unsigned char *d) {
    for (int i = n - 3; i >= 0; i--) {
        if (x[i] > 1000)
            exit(1);
        for (int j = 0; j < m; j++)
            if (i < 0) x[j] += d[i];
            else x[j] += j;
    }
}
int main(void) {
    int n = 13, m = 9, a[13];
    double b[25], x[13];
    int (*c)[n + 7] = calloc(6, sizeof *c);
    unsigned char d[14];
    for (int i = 0; i < 13; i++) { a[i] = i % 5; x[i] = i; }
    for (int i = 0; i < 25; i++) b[i] = 7 - i % 9;
    for (int i = 0; i < 14; i++) d[i] = i;
    f18912(n, m, a, b, c, d);
    inside(n, m, x, d);
    for (int i = 0; i < 25; i++) printf("%g ", b[i]);
    for (int i = 0; i < 13; i++) printf("%g ", x[i]);
    free(c);
    return 0;
}
