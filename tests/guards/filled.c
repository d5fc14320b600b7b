// Fills by the library between regions, of an array and of parts of it that other regions have as arrays of their own.
//   filled ANYTHING ...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 300000, FROM = 102400, STEPS = 24 };

static void add(long n, float *g, const float *p)
{
    for (long i = 0; i < n; i++) g[i] += 0.5f * p[i];
}

static void descend(long n, float *p, const float *g)
{
    for (long i = 0; i < n; i++) p[i] -= 0.1f * g[i];
}

int main(void)
{
    float *const g = malloc(N * sizeof *g), *const p = malloc(N * sizeof *p);
    if (!g || !p) return 1;
    for (long i = 0; i < N; i++) p[i] = (float)(i % 7), g[i] = 1;
    for (int step = 0; step < STEPS; step++) {
        memset(g, step == 3, (N - 17 * step) * sizeof *g);
        close(-1); // nobody knows what it does
        add(N, g, p);
        add(N - FROM, g + FROM, p);
        descend(N, p, g);
    }
    double s = 0, t = 0;
    for (long i = 0; i < N; i++) s += g[i] * (i % 13), t += p[i] * (i % 11);
    printf("%.9g %.9g\n", s, t);
    return 0;
}
