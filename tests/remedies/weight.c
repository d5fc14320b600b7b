// Too little to do, or too little of it at once.
#include <stdio.h>

enum { N = 300 };

// declined: its work, 4 statement instances, is done before a call of a region has begun
// remedy: to convert it nevertheless, mark it (`#pragma rt region` before it, `#pragma rt end` after it), and what else of this file is to convert
static void few(double *a) {
#ifdef REMEDY
#pragma rt region
#endif
    for (int i = 0; i < 4; i++) a[i] = i;
#ifdef REMEDY
#pragma rt end
#endif
}

// declined: most of this would run in order, by one thread
// remedy: mark the loops that are parallel (`#pragma rt region` before each, `#pragma rt end` after it), and what else of this file is to convert
static int keeps_large(int n, double *restrict out, const double *restrict in) {
    int k = 0, h = 7;
#ifndef REMEDY
    for (int i = 0; i < n; i++) {
        if (in[i] > 3) out[k++] = in[i];
        h = h * 3 + 1;
        h += 2;
        h &= 255;
        out[i + n] = h;
    }
#else
    for (int i = 0; i < n; i++)
        if (in[i] > 3) out[k++] = in[i];
    for (int i = 0; i < n; i++) {
        h = h * 3 + 1;
        h += 2;
        h &= 255;
        out[i + n] = h;
    }
#pragma rt region
    for (int i = 0; i < n; i++) out[i + n] += 1;
#pragma rt end
#endif
    return k;
}

int main(void) {
    static double a[N], b[2 * N];
    few(b);
    for (int i = 0; i < N; i++) a[i] = i % 9;
    printf("%d\n", keeps_large(N, b, a));
    printf("%g %g\n", a[3], b[3]);
}
