/* Small pure functions of the same file, called inside loops. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 45
#endif
#ifndef M
#define M 61
#endif

static inline double square(double v) {
    return v * v;
}

static double minmod(double a, double b) {
    if (a * b <= 0.0)
        return 0.0;
    return fabs(a) < fabs(b) ? a : b;
}

static int wrap(int i, int n) {
    return i < 0 ? i + n : i >= n ? i - n : i;
}

static double cubic(double t) {
    double t2 = square(t);
    return t2 * (3.0 - 2.0 * t);
}

static void slopes(int n, int m, double u[n][m], double s[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            s[i][j] = minmod(u[i][j] - u[i][j - 1], u[i][j + 1] - u[i][j]);
}

static void energy(int n, int m, double u[n][m], double s[n][m], double e[n]) {
    for (int i = 0; i < n; i++) {
        e[i] = 0.0;
        for (int j = 0; j < m; j++)
            e[i] += square(s[i][j]) + cubic(u[i][j]);
    }
}

static void periodic(int n, int m, double u[n][m], double out[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[i][j] = 0.5 * (u[wrap(i - 1, n)][j] + u[wrap(i + 1, n)][j]);
}

int main(void) {
    double(*u)[M] = malloc(sizeof(double[N][M]));
    double(*s)[M] = calloc(N, sizeof(double[M]));
    double(*p)[M] = malloc(sizeof(double[N][M]));
    double e[N], check = 0.0;
    if (!u || !s || !p)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            u[i][j] = (i * 17 + j * j * 5) % 97 / 97.0;
    slopes(N, M, u, s);
    energy(N, M, u, s, e);
    periodic(N, M, u, p);
    for (int i = 0; i < N; i++) {
        check += e[i] * (1 + i % 7);
        for (int j = 0; j < M; j++)
            check += (s[i][j] + p[i][j]) * (1 + (i + j) % 7);
    }
    printf("helpers %.10e\n", check);
    free(u);
    free(s);
    free(p);
    return 0;
}
