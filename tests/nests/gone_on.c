/* Values that are set again before anybody reads them, unless an iteration goes on or leaves its loop in between. All numbers
 * are exact. */
#include <stdio.h>
#define N 40

/* What the first inner loop leaves is the last value wherever the second one does not run. */
static int counted(int n, int m, const double *a, double *e)
{
    int i, k = 7;
    for (i = 0; i < n; i++) {
        for (k = 0; k < n - 1; k++) e[k] += 1;
        if (i < m) continue;
        for (k = m - 1; k > -1; k--) e[i] += a[k];
    }
    return k + 10 * i;
}
static int numbers(int n, const int *c, double *e)
{
    int k = 0, last = 0;
    for (int i = 0; i < n; i++) {
        k = 2 * i + 1;
        if (c[i]) continue;
        k = i;
        e[k] += k;
    }
    last = k;
    for (int i = 0; i < n; i++) {
        k = 3 * i;
        e[k % N] += 1;
        if (c[i] > 1) break;
        k = 1;
        e[k] += 1;
    }
    return k + 100 * last;
}
static double pointers(int n, const int *c, const double *a, const double *b, double *e)
{
    const double *p = a;
    for (int i = 0; i < n; i++) {
        p = b + i;
        if (c[i]) continue;
        p = a;
        e[i] += p[i];
    }
    return *p;
}
static double sums(int n, int m, const int *c, const double *a, double *e)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        s = a[i] + 1;
        e[i] += s;
        if (c[i]) continue;
        s = 0;
        for (int j = 0; j < m; j++) s += a[j];
        e[i] += s;
    }
    return s;
}
int main(void)
{
    double a[2 * N], b[2 * N], e[2 * N];
    int c[N];
    for (int i = 0; i < 2 * N; i++) a[i] = i % 7, b[i] = i % 5 + 10, e[i] = 0;
    for (int last = 0; last < 3; last++) {
        for (int i = 0; i < N; i++) c[i] = i == N - 1 ? last : i % 3 == 1;
        printf("%d %d %g %g\n", counted(N, 10 * last + 20, a, e), numbers(N, c, e), pointers(N, c, a, b, e), sums(N, 9, c, a, e));
        printf("%d %d\n", counted(3, 0, a, e), counted(3, 5, a, e));
    }
    double s = 0;
    for (int i = 0; i < 2 * N; i++) s += e[i] * (i % 3 + 1);
    printf("%g\n", s);
    return 0;
}
