/* An array that a statement under a condition declares, in loops of another order: it lives there. */
#include <stdio.h>
#include <stdlib.h>
#pragma rt shape(d: n + 1, n + 1)
static void f1403(int n, int m, unsigned char a[n + 1], int *b, int *c, long *d) {
    int k3;
    for (int i1 = 1; i1 != n; i1++) {
        if (b[i1] > 4) {
            for (int j2 = i1 + 1; j2 < n; j2++) {
                if (i1 + j2 < 6) {
                    for (k3 = 0; k3 <= n - 1; k3++) {
                        d[(n - i1 - 1) * (n + 1) + k3] += c[j2];
                        double w5[5];
                        for (int p4 = 0; p4 < 5; p4++) {
                            w5[p4] = -(k3);
                        }
                    }
                }
            }
        }
        d[i1 * (n + 1) + 0] += a[i1];
    }
}
int main(void) {
    int n = 9;
    unsigned char *a = calloc(400, 1); int *b = calloc(400, 4), *c = calloc(400, 4); long *d = calloc(400, 8);
    for (int i = 0; i < 400; i++) { a[i] = i % 7; b[i] = i % 9; c[i] = i % 5; d[i] = i % 11; }
    f1403(n, 10, a, b, c, d);
    for (int i = 0; i < 100; i++) printf("%ld ", d[i]);
    return 0;
}
