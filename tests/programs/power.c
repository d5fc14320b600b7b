/* The largest eigenvalue of a symmetric matrix by power iteration, stopped by a `do ... while` on its change. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 61
#endif
#define TOLERANCE 1e-9
#define MAX_STEPS 200

static double a[N][N], x[N], y[N];

static void init(void) {
    for (int i = 0; i < N; i++) {
        x[i] = 1.0;
        for (int j = 0; j <= i; j++)
            a[i][j] = a[j][i] = (i * 13 + j * 7) % 17 / 17.0;
    }
}

static double power(int *steps) {
    double value = 0.0, change;
    int step = 0;
    do {
        double norm = 0.0, before = value;
        for (int i = 0; i < N; i++) {
            y[i] = 0.0;
            for (int j = 0; j < N; j++)
                y[i] += a[i][j] * x[j];
        }
        for (int i = 0; i < N; i++)
            norm += y[i] * y[i];
        value = sqrt(norm);
        for (int i = 0; i < N; i++)
            x[i] = y[i] / value;
        change = fabs(value - before);
        step++;
    } while (change > TOLERANCE * value && step < MAX_STEPS);
    *steps = step;
    return value;
}

int main(void) {
    int steps;
    init();
    double value = power(&steps);
    printf("power %.8f in %d steps\n", value, steps);
    return 0;
}
