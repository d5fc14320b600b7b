/* Declarations and expressions as people compress them: several declarators, commas, ++ and compound assignment. */
#include <stdio.h>

#ifndef N
#define N 77
#endif

static long a[N][N], b[N], *row, total;

static void fill(void) {
    int i, j, n = N, seed = 5;
    for (i = 0; i < n; ++i)  // decline: depend on each other through `seed`
        for (j = 0, b[i] = i; j < n; ++j)
            seed = (seed * 421 + 1663) % 7875, a[i][j] = seed % 256;
}

static void update(void) {
    int i, j;
    for (i = 0; i < N; i++) {
        long left = b[i], right = left + 1, both;
        for (j = 0; j < N; j++) {
            both = left * j, both += right;
            a[i][j] <<= 1, a[i][j] -= both % 5;
            a[i][j] %= 251;
        }
    }
    for (i = 0; i < N; i++)
        b[i]++, b[i] *= 3;
}

static void mirrored(void) {
    int i, j;
    for (i = 0, j = N - 1; i < N / 2; i++, j--) {
        long t = b[i];
        b[i] = b[j];
        b[j] = t;
    }
}

int main(void) {
    int i, j;
    fill(), update(), mirrored();
    for (row = b, i = 0; i < N; i++) {
        total += row[i] * (1 + i % 7);
        for (j = 0; j < N; j++)
            total += a[i][j] * (1 + (i + j) % 7);
    }
    printf("declarators %ld\n", total);
    return 0;
}
