/* A mistake that a CPU forgives: a pointer is used after a call that took its matrix. */
#include <stdio.h>

#include "rtcuda_api.h"

int main(void)
{
    RTdense *x;
    if (RTdAlloc(&x, RT_DOUBLE, 3, 1)) return 1;
    double *data = RTdDData(x);
    data[0] = 1;
    if (RTdScale(0.5, x)) return 1;
    printf("%g\n", data[0]);
    RTdFree(x);
    return 0;
}
