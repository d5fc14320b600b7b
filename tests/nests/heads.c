/* Heads of loops that hold more than one counter, and loops without arrays. */
#include <stdio.h>
enum { N = 101 };
static double a[3 * N], b[3 * N];

static double sum(int n) {
    double s;
    int i;
    for (i = 0, s = 0; i < n; i++) s += a[i];
    return s;
}
static void reversed(int n) {
    for (int i = 0, j = n - 1; i < n; i++, j--) b[i] = a[j];
}
static void strided(int n) {
    int i, j, k;
    for (i = n - 1, j = 5, k = 0; i >= 0; i--, j += 2, k++) b[k] = a[j] + b[k];
}
static int behind(int n) {
    int i, j;
    for (i = 0, j = 1; i < n; i++, j += 2) b[i] = a[j] + b[i];
    return j;
}
static int leaves(int n) {
    int i, j;
    for (i = 0, j = 1; i < n; i++, j += 2) {
        if (a[i] < 3) continue;
        b[i] = a[j] + b[i];
    }
    return j;
}
static int moves(int n, int k) {
    int i, j;
    for (i = 0, j = k; i < n; i++, j++, k += 2) b[i] = a[j] + k;
    return j + k;
}
/* One counter for all: only behind the first loop it is read. */
static int again(int n) {
    int i, j;
    for (i = 0, j = 3; i < n; i++, j++) b[i] = a[i] + j;
    b[0] += j;
    for (i = 1, j = 0; i < n; i++, j++) b[i] += a[j];
    for (i = n, j = 2; i > 0; i--, j += 2) b[i] += a[j];
    return b[0];
}
/* The second counter goes on from row to row. */
static int rows(int n) {
    int j = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++, j++) b[j] = a[3 * i + k] * 2;
    return j;
}
static double squares(long n) {
    double s = 0;
    for (long i = 0; i < n; i++) {
        double x = i % 13 * 0.5;
        s += x * x;
    }
    return s;
}
static void told(const char *of, double value) {
    double all = 0;
    for (int i = 0; i < 3 * N; i++) all += (i % 7 + 1) * b[i];
    printf("%s %.9g %.9g\n", of, value, all);
}

int main(void) {
    for (int i = 0; i < 3 * N; i++) a[i] = i * 31 % 17, b[i] = i % 5;
    told("sum", sum(N));
    told("again", again(N));
    reversed(N), told("reversed", 0);
    reversed(0), told("none", 0);
    strided(N), told("strided", 0);
    told("behind", behind(N));
    told("leaves", leaves(N));
    told("moves", moves(N, 4));
    told("rows", rows(N));
    told("squares", squares(1000));
    return 0;
}
