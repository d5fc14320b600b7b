/* Cholesky's factorisation, right-looking: as soon as a column is known it is taken out of all columns to its right.
 * Only the lower triangle is touched. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 49
#endif

static double a[N][N];

static void init(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? 2.0 : 1.0 / (2 + (i > j ? i - j : j - i));
}

static void cholesky(void) {
    for (int k = 0; k < N; k++) {
        a[k][k] = sqrt(a[k][k]);
        for (int i = k + 1; i < N; i++)
            a[i][k] /= a[k][k];
        for (int j = k + 1; j < N; j++)
            for (int i = j; i < N; i++)
                a[i][j] -= a[i][k] * a[j][k];
    }
}

int main(void) {
    double determinant = 1.0, check = 0.0;
    init();
    cholesky();
    for (int i = 0; i < N; i++) {
        determinant *= a[i][i] * a[i][i];
        for (int j = 0; j < N; j++)
            check += a[i][j] * (1 + (i + 2 * j) % 7);
    }
    printf("cholesky_right determinant %.8e, %.10e\n", determinant, check);
    return 0;
}
