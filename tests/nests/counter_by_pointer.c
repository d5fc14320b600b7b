/* What a pointer puts in a counter before its loop is its first value. */
#include <stdio.h>
static void bump(int *p) { *p += 5; }
static void count(int n, double *a) {
    int k, *p = &k;
    k = 0;
    *p = 5;
    while (k < n) {
        a[k] += 1;
        k++;
    }
    k = 0;
    bump(&k);
    while (k < n) {
        a[k] += 1;
        k++;
    }
}
int main(void) {
    double a[100];
    for (int i = 0; i < 100; i++) a[i] = i;
    count(100, a);
    double s = 0;
    for (int i = 0; i < 100; i++) s += a[i] * i;
    printf("%g\n", s);
    return 0;
}
