/* An element of `c` is written where a condition leaves one `j`, which the dependences know and the kernel does not show. */
#include <stdio.h>
static void last(int n, double a[n][n], double c[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = 2 * a[i][j];
            if (j > n - 2) c[i] = a[i][j] + i;
        }
}
static void lastdata(int n, double a[n][n], double c[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = 2 * a[i][j];
            if (a[i][j] > 3) if (j > n - 2) c[i] = a[i][j] + i;
        }
}
static int corner(int n, const int *a) {
    int s = 0;
    for (int i = 8; i <= n - 3; i += 3)
        if (a[2 * i] != 5)
            for (int j = 0; j != n; j++)
                if (j + i < 9) s += a[i];
    return s;
}
int main(void) {
    static double a[20][20], c[20];
    int ints[40];
    for (int i = 0; i < 40; i++) ints[i] = i % 9;
    printf("%d\n", corner(15, ints));
    for (int i = 0; i < 20; i++) for (int j = 0; j < 20; j++) a[i][j] = i * j % 7;
    last(20, a, c);
    lastdata(20, a, c);
    double s = 0;
    for (int i = 0; i < 20; i++) s += c[i];
    printf("%g\n", s);
    return 0;
}
