/* The powers of a matrix one after the other, the trace of each, and the sum of the series of its exponential. */
#include <stdio.h>

#ifndef N
#define N 31
#endif
#ifndef POWERS
#define POWERS 6
#endif

static double a[N][N], power[N][N], product[N][N], series[N][N], trace[POWERS + 1];

static void init(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = ((i * 7 + j * 5) % 23 - 11) / (11.0 * N);
}

static void powers(void) {
    double factorial = 1.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            power[i][j] = series[i][j] = i == j;
    for (int p = 1; p <= POWERS; p++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                product[i][j] = 0.0;
                for (int k = 0; k < N; k++)
                    product[i][j] += power[i][k] * a[k][j];
            }
        factorial *= p;
        trace[p] = 0.0;
        for (int i = 0; i < N; i++) {
            trace[p] += product[i][i];
            for (int j = 0; j < N; j++) {
                power[i][j] = product[i][j];
                series[i][j] += product[i][j] / factorial;
            }
        }
    }
}

int main(void) {
    double check = 0.0;
    init();
    powers();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check += series[i][j] * (1 + (i + j) % 7);
    printf("matrix_powers %.10e, traces", check);
    for (int p = 1; p <= POWERS; p++)
        printf(" %.6e", trace[p]);
    printf("\n");
    return 0;
}
