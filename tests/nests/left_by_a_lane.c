/* What one of the threads that share a loop leaves in a variable of its own, the others do not see. */
#include <stdio.h>
static double a[90][100], b[90][100];
static void once(int n, int m) {
    for (int i = 0; i < n; i++) {
        double t = 1;
        for (int j = 0; j < m; j++) {
            if (j == i) t = a[i][j];
            b[i][j] += a[i][j];
        }
        b[i][0] += t;
    }
}
static void added(int n, int m) {
    for (int i = 0; i < n; i++) {
        double t = 1;
        for (int j = 0; j < m; j++) {
            if (j == i) t += a[i][j];
            b[i][j] += a[i][j];
        }
        b[i][0] += t;
    }
}
static void beside_a_sum(int n, int m) {
    for (int i = 0; i < n; i++) {
        double s = 0, t = 0;
        for (int j = 0; j < m; j++) {
            s += a[i][j];
            if (j == m - 1) t = a[i][j];
        }
        for (int j = 0; j < m; j++) b[i][j] += s * t;
    }
}
static void row(int n, int m) {
    for (int i = 0; i < n; i++) {
        double t[100];
        for (int j = 0; j < m; j++) t[j] = a[i][j];
        for (int j = 0; j < m; j++) b[i][j] -= t[m - 1 - j];
    }
}
int main(void) {
    int n = 90, m = 100;
    for (int i = 0; i < n * m; i++) a[0][i] = i % 13 - 6, b[0][i] = i % 7;
    once(n, m);
    added(n, m);
    beside_a_sum(n, m);
    row(n, m);
    double s = 0;
    for (int i = 0; i < n * m; i++) s += b[0][i] * (i % 7 + 1);
    printf("%g\n", s);
    return 0;
}
