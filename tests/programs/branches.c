/* Conditions inside loops: if and else, ?:, switch, continue, minima and maxima found by comparison. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 37
#endif

static double uniform(void) {
    static unsigned seed = 20;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0 - 0.5;
}

static void clamp(int n, int m, double a[n][m], double lo, double hi) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (a[i][j] < lo)
                a[i][j] = lo;
            else if (a[i][j] > hi)
                a[i][j] = hi;
        }
}

static void upwind(int n, int m, double a[n][m], double v[n][m], double flux[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (j == 0 || j == m - 1)
                flux[i][j] = 0.0;
            else
                flux[i][j] = v[i][j] > 0.0 ? v[i][j] * (a[i][j] - a[i][j - 1]) : v[i][j] * (a[i][j + 1] - a[i][j]);
        }
}

static void classify(int n, int m, double a[n][m], int kind[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (a[i][j] == 0.0) {
                kind[i][j] = 0;
                continue;
            }
            switch ((i + j) % 3) {  // decline: `switch` inside a parallel loop is not modelled
            case 0:
                kind[i][j] = a[i][j] > 0.0;
                break;
            case 1:
                kind[i][j] = a[i][j] > 0.25 ? 2 : 3;
                break;
            default:
                kind[i][j] = 4;
            }
        }
}

static void extremes(int n, int m, double a[n][m], double *lowest, double *highest) {
    double low = a[0][0], high = a[0][0];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (a[i][j] < low)
                low = a[i][j];
            high = a[i][j] > high ? a[i][j] : high;
        }
    *lowest = low;
    *highest = high;
}

int main(void) {
    double(*a)[M] = malloc(sizeof(double[N][M]));
    double(*v)[M] = malloc(sizeof(double[N][M]));
    double(*flux)[M] = malloc(sizeof(double[N][M]));
    int(*kind)[M] = malloc(sizeof(int[N][M]));
    double lowest, highest, check = 0.0;
    long kinds = 0;
    if (!a || !v || !flux || !kind)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = uniform();
            v[i][j] = uniform();
        }
    clamp(N, M, a, -0.4, 0.45);
    upwind(N, M, a, v, flux);
    classify(N, M, a, kind);
    extremes(N, M, flux, &lowest, &highest);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            check += (a[i][j] + flux[i][j]) * (1 + (i + j) % 7);
            kinds += kind[i][j] * (1 + (i + j) % 5);
        }
    printf("branches %.10e %ld %.10f %.10f\n", check, kinds, lowest, highest);
    free(a);
    free(v);
    free(flux);
    free(kind);
    return 0;
}
