#include <stdio.h>
static double a[100];
static void cases(int n, int from) {
    int i = 90;
    switch (from) {
    case 0:
        i = 0;
    case 1:
        while (i < n) {
            a[i] = a[i] + 1;
            i++;
        }
    }
}
static double largest(int n) {
    double m = a[0];
    int at = 0, k = 0;
again:
    for (int i = 1; i < n; i++)
        if (a[i] > m) m = a[i], at = i;
    if (k++ < 2) { a[at] = 0; n -= 3; goto again; }
    return m + at;
}
static void labelled(int n) {
    int times = 0, i = 0;
again:
    while (i < n) {
        a[i] = a[i] * 1.5 + 1;
        i++;
    }
    times++;
    if (times < 3) {
        i = 30 * times;
        goto again;
    }
}
static int inner(int n) {
    int k = 0;
    for (int t = 0; t < 3; t++) {
        if (t == 1) goto next;
        for (int i = 0; i < n; i++) a[i] += t;
    next:
        for (int i = 0; i < n; i++) a[i] += 0.5;
        k++;
    }
    return k;
}
int main(void) {
    for (int i = 0; i < 100; i++) a[i] = i * 37 % 101;
    cases(100, 0), cases(100, 1), cases(100, 2);
    printf("%g\n", largest(100));
    labelled(100);
    printf("%d\n", inner(100));
    double s = 0;
    for (int i = 0; i < 100; i++) s += (i + 1) * a[i];
    printf("%.12g\n", s);
}
