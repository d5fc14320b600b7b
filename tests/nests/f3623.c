/* The number of blocks that leave a part of a sum was written another way for the kernel that joins them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static double s0;
static void f3623(int n, int m, double a[2 * n + 1][n + 2]) {
    double s = 0;
    int t;
    for (t = 0; t < 1 && s < 3; t++) {
        for (unsigned i0 = 0; i0 < n; i0++) {
            for (int j1 = 2; j1 <= 6; j1++) {
                double t1 = (j1 + (j1 > 3 ? a[2 * i0][1] : j1));
                s += fmod((-(8) + t1), 97.0);
            }
        }
    }
    s0 = s;
}
int main(void) {
    int n = 38, m = 7;
    double (*a)[n + 2] = malloc(sizeof(double[2 * n + 1][n + 2]));
    for (int i = 0; i <= 2 * n; i++) for (int j = 0; j < n + 2; j++) a[i][j] = (i * 7 + j * 3) % 11 - 5;
    f3623(n, m, a);
    printf("%g\n", s0);
    free(a);
    return 0;
}
