#include <stdio.h>
static double a[100], b[100], c[100];
static void pointer(int n) {
    double *p = a;
    int k = 0;
again:
    ;
    for (int i = 0; i < n; i++) p[i] += 1;
    k++;
    if (k == 1) { p = b; goto again; }
    if (k == 2) { p = c; goto again; }
}
static void size(void) {
    int n = 10, k = 0;
again:
    ;
    for (int i = 0; i < n; i++) a[i] += 3;
    if (k++ < 2) { n = 50 * k; goto again; }
}
static double after(int n) {
    int i, k = 0;
    double s = 0, last = 0;
again:
    ;
    for (i = 0; i < n; i++) { last = a[i]; s += last; }
    if (k++ < 2) { n = n / 2; goto again; }
    return s + i + last;
}
static double skipped(int n, int skip) {
    double s = 5;
    if (skip) goto out;
    s = 0;
    for (int i = 0; i < n; i++) s += a[i];
out:
    ;
    for (int i = 0; i < n; i++) b[i] = s + i;
    return s;
}
static void swapped(int n) {
    double *p = a, *q = b, *t;
    int k = 0;
again:
    ;
    for (int i = 1; i < n - 1; i++) q[i] = (p[i - 1] + p[i + 1]) / 2;
    t = p; p = q; q = t;
    if (k++ < 3) goto again;
}
static int flag(int n) {
    int found = 0, k = 0;
again:
    ;
    for (int i = 0; i < n; i++) if (a[i] > 100) found = 1;
    if (!found && k++ < 5) { for (int i = 0; i < n; i++) a[i] *= 2; goto again; }
    return found + k;
}
static int back(int n) {
    int i = 0, k = 0;
    goto middle;
again:
    i = 0;
middle:
    ;
    for (; i < n; i++) c[i] += 1;
    i = 7;
    if (k++ < 2) { if (k == 1) goto again; goto middle; }
    return i;
}
int main(void) {
    for (int i = 0; i < 100; i++) a[i] = i, b[i] = 2 * i, c[i] = 3;
    pointer(100);
    size();
    printf("%g %g %g\n", after(100), skipped(100, 0), skipped(100, 1));
    swapped(100);
    printf("%d %d\n", flag(100), back(100));
    double s = 0;
    for (int i = 0; i < 100; i++) s += (i + 1) * a[i] + i * b[i] + (i + 3) * c[i];
    printf("%.12g\n", s);
}
