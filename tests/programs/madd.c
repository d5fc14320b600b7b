/* Sum of two matrices, on global arrays of fixed size. */
#include <stdio.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 45
#endif

static double a[N][M], b[N][M], c[N][M];

static double uniform(void) {
    static unsigned seed = 1;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static void init(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = uniform();
            b[i][j] = uniform();
        }
}

static void madd(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            c[i][j] = a[i][j] + b[i][j];
}

int main(void) {
    double sum = 0.0;
    init();
    madd();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum += c[i][j] * (1 + (i + j) % 7);
    printf("madd %.10e\n", sum);
    return 0;
}
