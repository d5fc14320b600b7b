#include <stdio.h>
#include <stdlib.h>
/* Arrays that are handed on to a function, and of which only the caller says how long they are. All numbers are exact. */
static void lower(int n, const int *first, const int *at, const double *value, const double *r, double *z)
{
    for (int i = 0; i < n; i++) {
        double s = r[i];
        for (int k = first[i]; k < first[i + 1]; k++) s -= value[k] * r[at[k]];
        z[i] = s;
    }
}
void solve(int n, int m, const int *first, const int *at, const double *value, const double *b, double *z, int steps)
{
    double *r = malloc(n * sizeof *r);
    if (!r) return;
#pragma rt shape(first: n + 1)
#pragma rt shape(at: m)
#pragma rt shape(value: m)
#pragma rt shape(b: n)
#pragma rt shape(z: n)
#pragma rt region
    {
        for (int i = 0; i < n; i++) r[i] = b[i];
        for (int t = 0; t < steps; t++) {
            lower(n, first, at, value, r, z);
            for (int i = 0; i < n; i++) r[i] = 0.5 * (r[i] + z[i]);
        }
    }
#pragma rt end
    free(r);
}
int main(void)
{
    int n = 500, m = 0;
    int *first = malloc((n + 1) * sizeof *first), *at = malloc(4 * n * sizeof *at);
    double *value = malloc(4 * n * sizeof *value), *b = malloc(n * sizeof *b), *z = malloc(n * sizeof *z);
    for (int i = 0; i < n; i++) {
        first[i] = m;
        for (int k = 0; k < i % 4; k++) at[m] = (i * 7 + k) % n, value[m++] = 0.25;
        b[i] = i % 9;
    }
    first[n] = m;
    solve(n, m, first, at, value, b, z, 20);
    double s = 0;
    for (int i = 0; i < n; i++) s += z[i] * (i % 3);
    printf("%.9g\n", s);
    return 0;
}
