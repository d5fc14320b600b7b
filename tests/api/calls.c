/* A thousand rounds of the calls of a solver: what is made once must be. Ends at the first call that fails, with what
 * the library says, everything freed. */
#include <stdio.h>

#include "rtcuda_api.h"

static int rounds(RTsparse *a, RTsparse *c, RTdense *d, RTdense *e, RTdense *f, RTdense *x, RTdense *y, RTdense *z)
{
    double sum;
    int code;
    for (int k = 0; k < 1000; k++)
        if ((code = RTspdDMV(a, x, y)) || (code = RTspSolve(RT_LOWER, RT_PLAIN, a, y, z)) || (code = RTdDDOT(y, z, &sum)) ||
            (code = RTdNorm(z, &sum)) || (code = RTdAxpy(1e-3, z, x)) || (code = RTdAdd(1, z, 0.5, y, y)) ||
            (code = RTdScale(0.5, x)) || (code = RTdCopy(x, z)) || (code = RTspdDMM(a, d, e)) ||
            (code = RTdDMV(d, y, x)) || (code = RTdDMM(d, e, f)) || (code = RTdDMT(d, f)) || (code = RTdDVV(x, y, f)))
            return code;
    if ((code = RTspDMM(a, a, c)) || (code = RTwait())) return code;
    return RTdDRead(x) && RTspDRead(c) ? RT_OK : RT_EDEVICE;
}

int main(void)
{
    RTsparse *a = NULL, *c = NULL;
    RTdense *d = NULL, *e = NULL, *f = NULL, *x = NULL, *y = NULL, *z = NULL;
    int code;
    if (!((code = RTspRandom(&a, RT_DOUBLE, RT_CSR, 8, 8, 1, 1)) || (code = RTspAlloc(&c, RT_DOUBLE, 8, 8)) ||
          (code = RTdRandom(&d, RT_DOUBLE, 8, 8, 2)) || (code = RTdAlloc(&e, RT_DOUBLE, 8, 8)) ||
          (code = RTdAlloc(&f, RT_DOUBLE, 8, 8)) || (code = RTdRandom(&x, RT_DOUBLE, 8, 1, 3)) ||
          (code = RTdAlloc(&y, RT_DOUBLE, 8, 1)) || (code = RTdAlloc(&z, RT_DOUBLE, 8, 1))))
        code = rounds(a, c, d, e, f, x, y, z);
    if (code != RT_OK) printf("%s %s\n", RTerrorName(code), RTlastError());
    RTspFree(a), RTspFree(c);
    RTdFree(d), RTdFree(e), RTdFree(f), RTdFree(x), RTdFree(y), RTdFree(z);
    return 0;
}
