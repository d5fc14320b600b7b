/* Reads of elements that no stride meets: isl forgets that they are of what was there before. */
#include <stdio.h>
#pragma rt shape(b: n + 6, 6, 4)
static void f(int n, double *b, double *e) {
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i <= 2; i++) {
            b[((2 * i + 1) * 6 + 5) * 4 + 1] = e[(i * 6 + i) * 4 + i] + b[((2 * i + 1) * 6 + 5) * 4 + 3] + b[((2 * i + 1) * 6 + 4) * 4 + 1];
            for (int j = 0; j != n; j++) b[(j * 6 + i) * 4 + 2] = n - j - 1;
        }
        double *turn = b;
        b = e;
        e = turn;
    }
}
int main(void) {
    static double b[2000], e[2000];
    for (int i = 0; i < 2000; i++) b[i] = i % 13 - 6, e[i] = i % 7;
    f(9, b, e);
    double s = 0;
    for (int i = 0; i < 2000; i++) s += b[i] * (i % 7 + 1) + e[i] * (i % 11);
    printf("%g\n", s);
    return 0;
}
