/* Transposes square matrices in place, by exchanging pairs across the diagonal, and turns one by a quarter, in cycles
 * of four elements. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 59
#endif

static void above(int n, float *a) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            float t = a[i * n + j];
            a[i * n + j] = a[j * n + i];
            a[j * n + i] = t;
        }
}

static void below(int n, int b[n][n]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) {
            int t = b[i][j];
            b[i][j] = b[j][i];
            b[j][i] = t;
        }
}

static void turn(int n, double c[n][n]) {
    for (int i = 0; i < n / 2; i++)
        for (int j = i; j < n - 1 - i; j++) {
            double t = c[i][j];
            c[i][j] = c[n - 1 - j][i];
            c[n - 1 - j][i] = c[n - 1 - i][n - 1 - j];
            c[n - 1 - i][n - 1 - j] = c[j][n - 1 - i];
            c[j][n - 1 - i] = t;
        }
}

int main(void) {
    float *a = malloc(sizeof(float) * N * N);
    int(*b)[N] = malloc(sizeof(int[N][N]));
    double(*c)[N] = malloc(sizeof(double[N][N]));
    double check = 0.0, turned = 0.0;
    long sum = 0;
    if (!a || !b || !c)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i * N + j] = (i * 7 + j * 3) % 64 * 0.25f;
            b[i][j] = i * 1000 + j;
            c[i][j] = (i * 3 + j * 11) % 64 * 0.5;
        }
    above(N, a);
    below(N, b);
    turn(N, c);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            check += a[i * N + j] * (1 + (i + 3 * j) % 7);
            sum += (long)b[i][j] * (1 + (2 * i + j) % 11);
            turned += c[i][j] * (1 + (i + 2 * j) % 13);
        }
    printf("transpose_inplace %.2f %ld %.1f\n", check, sum, turned);
    free(a);
    free(b);
    free(c);
    return 0;
}
