/* A choice between an element and a number of a narrower type, multiplied by one. */
#include <math.h>
#include <stdio.h>

static unsigned kept;

static void f61677(int n, int m, long a[n + 1][n + m + 3][n + m + 6], int b[n + m + 1], unsigned char *c) {
    float s1 = 0;
    int i3;
    int t;
    for (t = 0; t < 3; t++) {
        for (i3 = 0; i3 < 4; i3 += 3) {
            if (i3 == 0) {
                for (int j4 = 0; j4 < m; j4++) {
                    for (int k5 = 0; k5 < j4; k5++) {
                        if (i3 + j4 < 7) {
                            if ((((c[(i3 + j4) * (2 * n + m + 3) + k5] - c[k5 * (2 * n + m + 3) + m - j4 - 1])) % 97) > s1) {
                                s1 = (((c[(i3 + j4) * (2 * n + m + 3) + k5] - c[k5 * (2 * n + m + 3) + m - j4 - 1])) % 97);
                            }
                        }
                    }
                    for (int k6 = m - 1; k6 >= 1; k6--) {
                        s1 += (((1 - a[i3][j4][k6]) - a[i3][j4 + i3][k6]) - 9);
                        b[k6] = b[k6] < c[j4 * (2 * n + m + 3) + i3] * 1 ? b[k6] : c[j4 * (2 * n + m + 3) + i3] * 1;
                    }
                }
            }
        }
    }
}

static long a0[6 * 12 * 15];
static int b0[10];
static unsigned char c0[400];

int main(void)
{
    for (int k = 0; k < (int)(sizeof a0 / sizeof *a0); k++)
        a0[k] = (k * 7 + 3) % 19 - 9;
    for (int k = 0; k < (int)(sizeof b0 / sizeof *b0); k++)
        b0[k] = (k * 7 + 3) % 19 - 9;
    for (int k = 0; k < (int)(sizeof c0 / sizeof *c0); k++)
        c0[k] = (k * 7 + 3) % 19;
    f61677(5, 4, (long (*)[12][15])a0, b0, c0);
    for (int k = 0; k < (int)(sizeof a0 / sizeof *a0); k++)
        printf("%g ", (double)a0[k]);
    for (int k = 0; k < (int)(sizeof b0 / sizeof *b0); k++)
        printf("%g ", (double)b0[k]);
    for (int k = 0; k < (int)(sizeof c0 / sizeof *c0); k++)
        printf("%g ", (double)c0[k]);
    printf("%u\n", kept);
    return 0;
}
