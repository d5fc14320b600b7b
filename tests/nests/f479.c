#include <stdio.h>

void f479(int n, int m, const double *a, double b[n + m + 1]) {
    for (int i4 = (0 > 8 ? 0 : 8); i4 < n - 1; i4++) {
        for (int j5 = 1; j5 < 6; j5++) {
            for (int k6 = 2; k6 <= m - 1; k6++) {
                b[0] *= i4 + j5 < 6 ? -1 : 1;
                b[i4] = (7 / 3) * a[j5 * (n + m + 1) + i4];
            }
        }
    }
}

int main(void) {
    static double a[200], b[100];
    for (int k = 0; k < 200; k++) {
        a[k] = k % 7;
        b[k / 2] = k % 5;
    }
    f479(7, 11, a, b);
    f479(10, 2, a, b);
    f479(12, 11, a, b);
    double sum = 0;
    for (int k = 0; k < 100; k++) {
        sum = 3 * sum / 4 + b[k];
    }
    printf("%g\n", sum);
    return 0;
}
