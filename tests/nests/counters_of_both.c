/* One variable counts within a thread, and then on the host: each loop has a counter of its own. */
#include <stdio.h>
#include <stdlib.h>
static void reflect(int i, int ng2, int np, const double *c, double *p, double *xyz) {
    int m, ii;
    if (0 < i) {
        for (m = 0; m < np; m++) {
            p[0 + (np + m) * 3] = 2.0 * c[0] - p[0 + m * 3];
            p[1 + (np + m) * 3] = p[1 + m * 3];
            p[2 + (np + m) * 3] = p[2 + m * 3];
        }
        np = 2 * np;
    }
    for (m = 0; m < np; m++)
        for (ii = 0; ii < 3; ii++) xyz[ii + (ng2 + m) * 3] = p[ii + m * 3];
}
int main(void) {
    double c[1] = {3}, p[24] = {1, 2, 3}, xyz[99] = {0}, s = 0;
    reflect(0, 2, 1, c, p, xyz);
    reflect(1, 5, 1, c, p, xyz);
    reflect(1, 8, 2, c, p, xyz);
    for (int i = 0; i < 99; i++) s += i * xyz[i];
    printf("%g\n", s);
    return 0;
}
