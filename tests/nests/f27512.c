/* A tiled loop that may be empty accumulates in an element that is surely set behind it, and so may not be loaded
   before it. */
#include <stdio.h>
#include <math.h>
void f(int n, double (*a)[9], double *b, int *c) {
    double t0 = 0;
    int p0;
    int p2;
    for (p0 = 1; p0 != n; p0++) {
        for (p2 = p0 + 1; p2 < n; p2++) {
            c[p0] = c[p0] < fabs(a[p0][p2]) ? c[p0] : fabs(a[p0][p2]);
            b[p0] = b[p0] > a[p2][p0] ? b[p0] : a[p2][p0];
        }
        c[p0] = p0;
    }
}
int main(void) { double a[9][9] = {{0}}, b[9] = {0}; int c[9]={0}; f(6, a, b, c); printf("%g\n", b[1]); return 0; }
