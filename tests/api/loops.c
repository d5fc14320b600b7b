/* Loops of the program's own beside calls: a function over what RTdDData gives is converted, loops with a call in them
 * stay, and both see what the other wrote. */
#include <stdio.h>
#include <stdlib.h>

#include "rtcuda_api.h"

#ifndef N
#define N 300
#endif

static void check(int code)
{
    if (code == RT_OK) return;
    fprintf(stderr, "%s: %s\n", RTerrorName(code), RTlastError());
    exit(1);
}

/* Converted: one step of a smoother, in the program's own words. */
static void smooth(long n, const double *x, double *y)
{
    for (long i = 1; i < n - 1; i++)
        y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
}

/* Stay: what the calls do to the elements nobody knows here. */
static double shrink(RTdense *x, double *data, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        check(RTdScale(0.5, x));
        sum += RTdDRead(x)[i];
        data[i] += 1;
    }
    for (long i = 0; i < n; i++) {
        RTdScale(2, x);
        data[i] += 1;
    }
    return sum;
}

int main(void)
{
    RTdense *a, *x, *y;
    double norm, total = 0;
    check(RTdRandom(&a, RT_DOUBLE, N, N, 1));
    check(RTdRandom(&x, RT_DOUBLE, N, 1, 2));
    check(RTdAlloc(&y, RT_DOUBLE, N, 1));
    for (int step = 0; step < 5; step++) {
        check(RTdDMV(a, x, y));
        smooth(N, RTdDRead(y), RTdDData(x));
        check(RTdNorm(x, &norm));
        check(RTdScale(1 / norm, x));
    }
    double *data = RTdDData(y);
    total = shrink(x, data, N);
    for (long i = 0; i < N; i++)
        total += data[i];
    printf("%.10e %.10e\n", norm, total);
    RTdFree(a), RTdFree(x), RTdFree(y);
    return 0;
}
