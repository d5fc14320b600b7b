/* A value that nothing computes, since what would never runs, is the one from before. */
#include <stdio.h>
double d[9][13];
void f(int n, const float *a, double (*c)[9], double (*b)[9]) {
    double s0 = 0;
    int t;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 5; j++) {
            if (2 > 5) s0 += a[j] + d[j][i];
            b[j][i] = c[j][i] + 1;
        }
    }
    for (t = 0; t < 1 && s0 != 34; t++) {
        for (int k = 3; k < n; k++) b[k][k] = a[k];
    }
}
int main(void) { float a[9] = {0}; double b[9][9] = {{0}}, c[9][9] = {{0}}; f(5, a, c, b); printf("%g\n", b[1][1]); return 0; }
