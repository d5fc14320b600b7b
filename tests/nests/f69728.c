/* The same, of a loop that the blocks share. */
#include <math.h>
#include <stdio.h>

static unsigned kept;

static void f69728(int n, int m, int c[n + 2 * m + 1][n + 1]) {
    double s0 = 0;
    int p2 = 7;
    int p0 = 7;
    int t = 7;
    for (t = 0; t < 2 && s0 != 7; t++) {
        for (p2 = 0; p2 < 4; p2++) {
            for (p0 = m - 1; p0 >= 2; p0 -= 2) {
                c[p0][p2] = c[2 * p0][-p2 + 3];
            }
            if (fmin(fmax(((s0 - s0) + 3 * c[3][p2]), -99.0), 99.0) < c[p2][p2]) {
                c[p2][p2] = fmin(fmax(((s0 - s0) + 3 * c[3][p2]), -99.0), 99.0);
            }
        }
    }
    kept = kept * 31 + (unsigned)p2;
    kept = kept * 31 + (unsigned)p0;
    kept = kept * 31 + (unsigned)t;
}

static int c0[36 * 14];

int main(void)
{
    for (int k = 0; k < (int)(sizeof c0 / sizeof *c0); k++)
        c0[k] = (k * 7 + 3) % 19 - 9;
    f69728(13, 11, (int (*)[14])c0);
    for (int k = 0; k < (int)(sizeof c0 / sizeof *c0); k++)
        printf("%g ", (double)c0[k]);
    printf("%u\n", kept);
    return 0;
}
