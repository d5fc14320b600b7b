/* LU factorisation in place with the step of elimination outermost: row k is subtracted from all rows below it. The
 * system is then solved by the two triangular solves. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 47
#endif

static void lu(int n, double a[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
}

/* By columns: what an unknown contributes leaves all equations that follow at once. */
static void solve(int n, double a[n][n], double x[n]) {
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++)
            x[i] -= a[i][j] * x[j];
    for (int j = n - 1; j >= 0; j--) {
        x[j] /= a[j][j];
        for (int i = 0; i < j; i++)
            x[i] -= a[i][j] * x[j];
    }
}

int main(void) {
    double(*a)[N] = malloc(sizeof(double[N][N])), *x = malloc(N * sizeof *x);
    double determinant = 1.0, check = 0.0;
    if (!a || !x)
        return 1;
    for (int i = 0; i < N; i++) {
        x[i] = 1.0 + i % 3;
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? 1.5 : (i * 3 + j * 5) % 7 / (7.0 * N);
    }
    lu(N, a);
    solve(N, a, x);
    for (int i = 0; i < N; i++) {
        determinant *= a[i][i];
        check += x[i] * (1 + i % 7);
    }
    printf("lu_kij determinant %.8e, %.10e\n", determinant, check);
    free(a);
    free(x);
    return 0;
}
