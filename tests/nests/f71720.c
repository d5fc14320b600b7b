/* A number that only an `if` on data sets, as one the region sets before it. */
#include <math.h>
#include <stdio.h>

static unsigned kept;

#pragma rt shape(d: n + 1, n + 1)
static void f71720(int n, int m, int *c, unsigned (*d)[10]) {
    int p0 = 7;
    int p2 = 7;
    for (p0 = 0; p0 <= n - 1; p0 += 3) {
        for (p2 = 0; p2 <= n - 1; p2++) {
            d[p2][p0] &= (unsigned)8;
        }
        if (c[0] > 5) {
            for (p2 = 2; p2 <= n - 1; p2 += 3) {
                d[p0][p2] |= (unsigned)c[p2];
            }
        }
    }
    kept = kept * 31 + (unsigned)p0;
    kept = kept * 31 + (unsigned)p2;
}

static unsigned d0[100];
static int c0[32];

int main(void)
{
    for (int k = 0; k < (int)(sizeof d0 / sizeof *d0); k++)
        d0[k] = (k * 7 + 3) % 19;
    for (int k = 0; k < (int)(sizeof c0 / sizeof *c0); k++)
        c0[k] = (k * 7 + 3) % 19;
    f71720(9, 32, c0, (unsigned (*)[10])d0);
    for (int k = 0; k < (int)(sizeof d0 / sizeof *d0); k++)
        printf("%g ", (double)d0[k]);
    for (int k = 0; k < (int)(sizeof c0 / sizeof *c0); k++)
        printf("%g ", (double)c0[k]);
    printf("%u\n", kept);
    return 0;
}
