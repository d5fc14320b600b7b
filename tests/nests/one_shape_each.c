/* An array whose dimensions its subscripts show in one nest and not in another: what may be one array with it has the same
   shape in each. */
#include <stdio.h>
#include <stdlib.h>
static void two_ways(int n, int m, const double *a, double *b, double *c) {
    for (int i = 0; i < m - 2; i++)
        b[i] += a[2 * (n + m + 1) + m - i - 3];
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++) {
            c[j] *= i > 0 ? -1 : 1;
            b[i] += a[(n - i - 1) * (n + m + 1) + j] + a[2 * i * (n + m + 1) + j] * c[j];
        }
}
int main(void) {
    int n = 6, m = 11, size = 2 * (n + m + 1) * (n + m + 1);
    double *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b), *c = malloc(size * sizeof *c), s = 0;
    for (int i = 0; i < size; i++) a[i] = i % 13, b[i] = i % 5, c[i] = i % 3;
    two_ways(n, m, a, b, c);
    two_ways(n, m, a, a, c);
    two_ways(n, m, a, b, b);
    for (int i = 0; i < size; i++) s += a[i] + b[i] * (i % 7) + c[i];
    printf("%.9g\n", s);
    return 0;
}
