/* Poisson's equation by Gauss and Seidel in lexicographic order, forwards and backwards in turn, until the residual is
 * a hundredth of what it was. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 27
#endif
#ifndef M
#define M 23
#endif
#define MAX_SWEEPS 400

static double u[N][M], f[N][M];

static void init(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            f[i][j] = (i * 5 + j * 3) % 11 / 11.0 - 0.5;
}

static void forwards(void) {
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++)
            u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
}

static void backwards(void) {
    for (int i = N - 2; i >= 1; i--)
        for (int j = M - 2; j >= 1; j--)
            u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
}

static double residual(void) {
    double sum = 0.0;
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++) {
            double r = f[i][j] - (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4.0 * u[i][j]);
            sum += r * r;
        }
    return sqrt(sum);
}

int main(void) {
    double first, check = 0.0;
    int sweeps = 0;
    init();
    first = residual();
    while (residual() > 1e-2 * first && sweeps < MAX_SWEEPS) {
        if (sweeps % 2 == 0)
            forwards();
        else
            backwards();
        sweeps++;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check += u[i][j] * (1 + (i + j) % 7);
    printf("gauss_seidel %d sweeps, %.8e\n", sweeps, check);
    return 0;
}
