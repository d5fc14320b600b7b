/* Every shape of `for`: <=, !=, downward, steps other than one, iterators declared outside, compound steps. */
#include <stdio.h>

#ifndef N
#define N 100
#endif

static double a[N + 1], b[N + 1], c[N + 1][N + 1];

static void init(void) {
    for (int i = 0; i <= N; i++) {
        a[i] = (i * 7 % 13) * 0.5;
        b[i] = (i * 5 % 11) * 0.25;
        for (int j = 0; j <= N; j++)
            c[i][j] = (i + 3 * j) % 17;
    }
}

static void upward(void) {
    int i;
    for (i = 1; i <= N; i++)
        a[i] = a[i] + b[i - 1];
    for (i = 0; i != N; ++i)
        b[i] = 2.0 * a[i + 1];
}

static void downward(void) {
    int i;
    for (i = N; i >= 0; i--)
        a[i] *= 0.5;
    for (i = N - 1; i > 0; i -= 2)
        b[i] = a[i] - a[i - 1];
}

static void strided(void) {
    int i, j;
    for (i = 0; i < N; i += 2)
        for (j = 1; j <= N; j += 3)
            c[i][j] = c[i + 1][j] + 1.0;
    for (i = 0; i < N - 3; i = i + 4) {
        a[i] = b[i + 1];
        a[i + 1] = b[i + 2];
        a[i + 2] = b[i + 3];
        a[i + 3] = b[i];
    }
}

static void triangular(void) {
    for (int i = 0; i <= N; i++)
        for (int j = i; j <= N; j++)
            c[j][i] = a[i] * b[j];
    for (int i = N; i > 0; --i)
        for (int j = 0; j < i; ++j)
            c[j][i] = a[i] - b[j];
}

int main(void) {
    double check = 0.0;
    init();
    upward();
    downward();
    strided();
    triangular();
    for (int i = 0; i <= N; i++) {
        check += (a[i] + b[i]) * (1 + i % 7);
        for (int j = 0; j <= N; j++)
            check += c[i][j] * (1 + (i + j) % 7);
    }
    printf("loops %.10e\n", check);
    return 0;
}
