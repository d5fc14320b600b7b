/* Loops that carry dependences: recurrences, a triangular solve, a relaxation in place. Some stay sequential, some are
 * parallel in one of their loops only. */
#include <stdio.h>

#ifndef N
#define N 45
#endif
#ifndef STEPS
#define STEPS 3
#endif

static double a[N][N], l[N][N], x[N], s[N];

static void init(void) {
    for (int i = 0; i < N; i++) {
        x[i] = (i * 7 % 19) / 19.0;
        for (int j = 0; j < N; j++) {
            a[i][j] = (3 * i + 5 * j) % 37 / 37.0;
            l[i][j] = i == j ? N : (i + 2 * j) % 41 / 41.0;
        }
    }
}

/* Nothing is parallel. */
static void prefix_sum(void) {
    s[0] = x[0];
    for (int i = 1; i < N; i++)  // decline: depend on each other through `s`
        s[i] = s[i - 1] + x[i];
}

/* Columns are independent, rows are not. */
static void sweep_rows(void) {
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = 0.5 * (a[i][j] + a[i - 1][j]);
}

/* Row by row only a sum is parallel; column by column every update of a step. */
static void forward_substitution(void) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= l[i][j] * x[j];
        x[i] /= l[i][i];
    }
}

/* Gauss and Seidel: parallel along diagonals only. */
static void relax(void) {
    for (int t = 0; t < STEPS; t++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

int main(void) {
    double check = 0.0;
    init();
    prefix_sum();
    sweep_rows();
    forward_substitution();
    relax();
    for (int i = 0; i < N; i++) {
        check += (x[i] + s[i]) * (1 + i % 7);
        for (int j = 0; j < N; j++)
            check += a[i][j] * (1 + (i + j) % 7);
    }
    printf("sequential %.10e\n", check);
    return 0;
}
