/* In a resident kernel a counter of a thread has no name of the host's. */
#include <math.h>
#include <stdio.h>

static unsigned kept;

static float f62432_c[76];
static void f62432(int n, int m, const double *a, unsigned *e) {
    unsigned s0 = 0;
    int p2 = 7;
    int p3 = 7;
    int p1 = 7;
    int t = 7;
    for (t = 0; t < 2 && s0 <= 31; t++) {
        for (p2 = 0; p2 < m - 2; p2++) {
            for (p3 = 0; p3 < n; p3++) {
            }
            for (p1 = 2; p1 < m; p1 += 3) {
                for (p3 = 0; p3 <= 2; p3 += 2) {
                    e[(p3 + 1) * (n + m + 7) + p1 + 1] = (e[p1 * (n + m + 7) + p3] * (unsigned)p3 + e[(p3 + 1) * (n + m + 7) + p1 + 3]);
                    s0 = s0 < (unsigned)(int)a[p1 - 2] * (unsigned)1 ? s0 : (unsigned)(int)a[p1 - 2] * (unsigned)1;
                }
            }
            s0 += (((unsigned)(int)f62432_c[p2] + (unsigned)2) > ((unsigned)(int)f62432_c[p2] >> 3) ? ((unsigned)(int)f62432_c[p2] + (unsigned)2) : ((unsigned)(int)f62432_c[p2] >> 3));
        }
    }
    kept = kept * 31 + (unsigned)p2;
    kept = kept * 31 + (unsigned)p3;
    kept = kept * 31 + (unsigned)p1;
    kept = kept * 31 + (unsigned)t;
}

static double a0[64];
static unsigned e0[8000];

int main(void)
{
    for (int k = 0; k < (int)(sizeof a0 / sizeof *a0); k++)
        a0[k] = (k * 7 + 3) % 19;
    for (int k = 0; k < (int)(sizeof e0 / sizeof *e0); k++)
        e0[k] = (k * 7 + 3) % 19;
    f62432(37, 32, a0, e0);
    for (int k = 0; k < (int)(sizeof a0 / sizeof *a0); k++)
        printf("%g ", (double)a0[k]);
    for (int k = 0; k < (int)(sizeof e0 / sizeof *e0); k++)
        printf("%g ", (double)e0[k]);
    printf("%u\n", kept);
    return 0;
}
