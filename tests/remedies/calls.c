// A function that is called only in loops of other regions.
#include <stdio.h>

enum { N = 300, M = 20 };

// declined: `squares` is called only in loops of other regions (`all_0`), which have this loop in them
// remedy: to have it all the same, mark it (`#pragma rt region` before it, `#pragma rt end` after it), and what else of this file is to convert
static float squares(const float *a, const float *b, int m) {
    float sum = 0;
#ifdef REMEDY
#pragma rt region
#endif
    for (int j = 0; j < m; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
#ifdef REMEDY
#pragma rt end
#endif
    return sum;
}

static void all(int n, int m, const float *x, const float *y, float *d) {
    for (int i = 0; i < n; i++) d[i] = squares(x, y + i * m, m);
}

int main(void) {
    static float x[M], y[N * M], d[N];
    for (int i = 0; i < N * M; i++) y[i] = i % 7;
    all(N, M, x, y, d);
    printf("%g\n", d[N - 1]);
}
