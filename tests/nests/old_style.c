/* Functions with parameters in the style before C89: several a declaration, in another order, one that is not declared. */
#include <stdio.h>
enum { N = 500 };
static double a[N], b[N], m[N][7];

static int scale(n, x, y, factor)
    double *x, y[];
    int n;
    float factor;
{
    int i;
    for (i = 0; i < n; i++) y[i] = factor * x[i];
    return n;
}
static double sum(x, n)
    double *x;
{
    double s = 0;
    int i;
    for (i = 0; i < n; i++) s += x[i] * (i % 5);
    return s;
}
static void rows(n, z) register int n; double z[][7]; {
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < 7; j++) z[i][j] = i - 3 * j;
}

int main(void) {
    int i;
    for (i = 0; i < N; i++) a[i] = i % 9 - 4;
    i = scale(N, a, b, 2.5);
    rows(N, m);
    printf("%d %.2f %.2f\n", i, sum(b, N), sum(m[3], 70));
    return 0;
}
