/* Reads of what an array held before a loop see a copy: in all directions, of several arrays, beside what is handed on. */
#include <stdio.h>
#include <stdlib.h>
static void down(int n, double *a) {
    for (int i = n - 1; i > 0; i--) a[i] = a[i - 1] + 1;
}
static void strided(int n, int a[n + 6]) {
    for (int i = 0; i < n; i += 2) a[i] = a[i + 4] - a[i + 2] + i;
}
static void two(int n, double a[n + 1], double b[n + 1]) {
    for (int i = 0; i < n; i++) {
        a[i] = a[i + 1] + b[i + 1];
        b[i] = b[i + 1] - a[i];
    }
}
static void corner(int n, int m, double *a) {
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m - 1; j++) a[i * m + j] = a[(i + 1) * m + j + 1] + 0.5 * a[i * m + j + 1];
}
static void half(int n, int m, double a[n][m]) {
    for (int i = 0; i < n - 1; i++)
        for (int j = i; j < m - 1; j++) a[i][j] -= a[i + 1][j] * a[i + 1][j + 1];
}
static void beside(int n, double a[n + 1], double s[n + 1]) {
    for (int i = 0; i < n; i++) {
        a[i] = a[i + 1] * 2;
        s[i + 1] = s[i] + a[i];
    }
}
static void maybe(int n, double a[n + 1], const double b[n]) {
    for (int i = 0; i < n; i++)
        if (b[i] > 3) a[i] = a[i + 1] + b[i];
}
static void before_and_after(int n, double a[n + 2]) {
    for (int i = 1; i <= n; i++) a[i] = a[i - 1] + a[i + 1];
}
static void other_nest(int n, double a[n + 1], double b[n + 1]) {
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i <= n; i++) a[i] += b[i];
        for (int i = 0; i < n; i++) a[i] = a[i + 1] - b[i];
        for (int i = 0; i < n; i++) b[i] = b[i + 1] + a[i];
    }
}
static void product(int m, int n, double a[m][m], double b[m][n]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++) b[i][j] += a[k][i] * b[k][j];
            b[i][j] = 0.5 * b[i][j];
        }
}
static double sum(int n, const double *a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * (i % 3 + 1);
    return s;
}
int main(void) {
    int n = 37, m = 23, ints[80];
    double *a = malloc(2000 * sizeof *a), *b = malloc(2000 * sizeof *b), *c = malloc(2000 * sizeof *c);
    for (int i = 0; i < 2000; i++) a[i] = i % 7 - 3, b[i] = i % 5, c[i] = (i * 13) % 11 - 5;
    for (int i = 0; i < 80; i++) ints[i] = i * i % 17;
    down(n, a);
    strided(n, ints);
    two(n, a, b);
    corner(n, m, c);
    half(n, m, (double (*)[m])c);
    beside(n, a + 100, b + 100);
    maybe(n, a + 200, b + 200);
    before_and_after(n, a + 300);
    other_nest(n, a + 400, b + 400);
    product(m, n, (double (*)[m])(a + 600), (double (*)[n])(b + 600));
    int total = 0;
    for (int i = 0; i < 80; i++) total += ints[i] * (i % 4 + 1);
    printf("%g %g %g %d\n", sum(2000, a), sum(2000, b), sum(2000, c), total);
    return 0;
}
