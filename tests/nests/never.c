/* Loops that run for no value that the type of `n` has: isl makes no expression of how many iterations they have. */
#include <stdio.h>
#include <stdlib.h>
static void f(unsigned char n, int m, double a[m][m]) {
    if (n > 300) {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < i; j++)
                a[i][j] = i * j + n;
    }
    for (int i = 0; i < m; i++) a[i][0] += 2;
}
static void g(unsigned char n, int m, double a[m][m], double b[m]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            if (n > 300) a[i][j] = i * j + n + b[i];
    for (int i = 0; i < m; i++) a[i][0] += 2;
}
int main(void) {
    int m = 20;
    double (*a)[m] = calloc(m, sizeof *a);
    double b[20] = {0};
    f(5, m, a);
    g(5, m, a, b);
    for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) printf("%g\n", a[i][j]);
    free(a);
    return 0;
}
