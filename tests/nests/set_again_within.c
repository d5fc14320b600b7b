/* A value that lives in a block has a variable of its own there; what a statement within sets again is still read behind
   it. */
#include <stdio.h>
static double levels(int n, const int *c, double *a, double *b) {
    int j;
    for (int t = 0; t < n; t++) {
        j = 1;
        if (c[t] > 2) {
            j = 5;
            a[t] = j;
        }
        b[t] = j;
        for (int k = 0; k < 3; k++) a[t] += k;
    }
    double s = 0;
    j = 3;
    for (int t = 0; t < n; t++) s += a[t] * j + b[t];
    return s + j;
}
int main(void) {
    int c[100];
    double a[100], b[100];
    for (int i = 0; i < 100; i++) c[i] = i % 5, a[i] = i, b[i] = 0;
    printf("%g\n", levels(100, c, a, b));
    double s = 0;
    for (int i = 0; i < 100; i++) s += a[i] * i + b[i];
    printf("%g\n", s);
    return 0;
}
