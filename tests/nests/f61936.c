/* A minimum names what it reads twice: a copy of old values must not stand in one of the two places alone. */
#include <math.h>
#include <stdio.h>

static unsigned kept;

#pragma rt shape(b: 5)
static void f61936(int n, int m, const int *a, double *b, double *c, int d[4][5]) {
    int p1 = 7;
    int p0 = 7;
    for (int t = 0; t < 2; t++) {
        for (p1 = 0; p1 <= 3; p1++) {
            for (p0 = 0; p0 != 5; p0++) {
                if (p0 == 1) {
                    if (fmin(fmax(((p1 <= p0 ? b[p0] : 4) - b[p0]), -99.0), 99.0) < c[p0]) {
                        c[p0] = fmin(fmax(((p1 <= p0 ? b[p0] : 4) - b[p0]), -99.0), 99.0);
                    }
                }
                if (p1 == 1) {
                    c[-p1 + 3] = fmod(((p1 + b[p0]) + (d[p1][p0] - a[3])), 97.0);
                }
            }
        }
        double *turn_b = b;
        b = c;
        c = turn_b;
    }
    kept = kept * 31 + (unsigned)p1;
    kept = kept * 31 + (unsigned)p0;
}

static double b0[16], c0[16];
static int a0[8], d0[20];

int main(void)
{
    for (int k = 0; k < (int)(sizeof a0 / sizeof *a0); k++)
        a0[k] = (k * 7 + 3) % 19 - 9;
    for (int k = 0; k < (int)(sizeof b0 / sizeof *b0); k++)
        b0[k] = (k * 7 + 3) % 19 - 9;
    for (int k = 0; k < (int)(sizeof c0 / sizeof *c0); k++)
        c0[k] = (k * 7 + 3) % 19 - 9;
    for (int k = 0; k < (int)(sizeof d0 / sizeof *d0); k++)
        d0[k] = (k * 7 + 3) % 19 - 9;
    f61936(10, 4, a0, b0, c0, (int (*)[5])d0);
    for (int k = 0; k < (int)(sizeof a0 / sizeof *a0); k++)
        printf("%g ", (double)a0[k]);
    for (int k = 0; k < (int)(sizeof b0 / sizeof *b0); k++)
        printf("%g ", (double)b0[k]);
    for (int k = 0; k < (int)(sizeof c0 / sizeof *c0); k++)
        printf("%g ", (double)c0[k]);
    for (int k = 0; k < (int)(sizeof d0 / sizeof *d0); k++)
        printf("%g ", (double)d0[k]);
    printf("%u\n", kept);
    return 0;
}
