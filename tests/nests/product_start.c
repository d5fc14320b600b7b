/* A counter that begins at a product of sizes, and moves by one of them, beside subscripts that the data choose. */
#include <stdio.h>

static unsigned seen[40][40];

static void down(int n, int m, int s, const int *a, int *x) {
    for (int i = (n - 1) * s; i >= 0; i -= s)
        x[i] = a[i * (3 * n + m + 1) + i] + (int)(seen[i + 2][i] & 63u);
}

static void searched(int n, int s, const int *a, int *x) {
    for (int i = 0; i < n; i++)
        for (int k = n * s; k > i && a[k] > 0; k--)
            x[i * n + a[k] % n] += k;
}

int main(void) {
    static int a[1400], x[40], y[100];
    long sum = 0;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++)
            seen[i][j] = (unsigned)(i * 7 + j);
    for (int i = 0; i < 1400; i++)
        a[i] = i % 31 + (i > 9);
    down(7, 5, 1, a, x);
    down(6, 5, 3, a, x);
    down(3, 5, -1, a, x);
    searched(10, 3, a, y);
    for (int i = 0; i < 40; i++)
        sum += (long)x[i] * (i + 1);
    for (int i = 0; i < 100; i++)
        sum += (long)y[i] * (i + 1);
    printf("%ld\n", sum);
    return 0;
}
