#include <stdio.h>

static unsigned char f133_c[11][15];
#pragma rt shape(b: n + m + 4, n + 2 * m + 1, 2 * n + m + 1)
void f133(int n, int m, double a[2 * n + 2 * m + 1], int *b, long d[n + m + 1], int *e) {
    int s0 = 0;
    double t2 = 0;
    int t;
    int i7;
    int k14;
    for (t = 0; t < 4; t++) {
        for (int i5 = 0; i5 < m - 1; i5++) {
            t2 = ((((e[2 * i5 + 1] > s0 ? e[2 * i5 + 1] : s0) + (s0 + b[(i5 * (n + 2 * m + 1) + 2 * i5) * (2 * n + m + 1) + i5]))) % 97);
        }
        if (s0 < 27) {
            break;
        }
        for (i7 = n - 1; i7 > 1; i7--) {
            for (int j9 = 0; j9 < n; j9++) {
                for (int k10 = 1; k10 < n - 1; k10++) {
                    b[(j9 * (n + 2 * m + 1) + k10) * (2 * n + m + 1) + i7] |= (int)(((1 + a[i7 + j9]) - (f133_c[j9][i7] + f133_c[k10 + 2][i7])));
                }
            }
        }
    }
    for (int i11 = 0; i11 != n; i11++) {
        for (long j12 = 0; j12 < m; j12 += 3) {
            if (i11 > 4) {
                for (k14 = n - 2; k14 > -1; k14--) {
                    long t5 = (((b[(i11 * (n + 2 * m + 1) + j12) * (2 * n + m + 1) + k14] + b[(j12 * (n + 2 * m + 1) + j12) * (2 * n + m + 1) + i11 + 1]) * ((d[j12]) % 97)) % 97);
                }
            }
        }
    }
}

int main(void) {
    static double a[15];
    static int b[11 * 12 * 12], e[8];
    static long d[8];
    for (int k = 0; k < 11 * 12 * 12; k++) {
        b[k] = k % 19;
        a[k % 15] = k % 7;
        d[k % 8] = k % 5;
        e[k % 8] = k % 11;
        f133_c[k % 11][k % 15] = k % 13;
    }
    f133(4, 3, a, b, d, e);
    long sum = 0;
    for (int k = 0; k < 11 * 12 * 12; k++)
        sum = sum * 31 % 1000003 + b[k];
    printf("%ld\n", sum);
    return 0;
}
