/* Runs of more assignments than get a statement each: small matrices for each point, as solvers of the NAS benchmarks have
 * them by hand. A carried value, an accumulation and a directive that says too much stay what they are. */
#include <stdio.h>

#define N 11
static double tmp1, tmp2;
static int total;
static double u[N][N], f[N][N][6][6], h[N][N][6][6], w[N][N][40];

#define R6(X, a) X(a, 0) X(a, 1) X(a, 2) X(a, 3) X(a, 4) X(a, 5)
#define M66(X) R6(X, 0) R6(X, 1) R6(X, 2) R6(X, 3) R6(X, 4) R6(X, 5)

/* Two live ranges of each global: the second loop may have no iterations, the last values are wanted either way. */
static void jacobians(int n) {
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            tmp1 = 2 * u[i][j];
            tmp2 = tmp1 + 1;
#define F(a, b) f[i][j][a][b] = ((a + b) % 2 ? tmp1 : tmp2) * u[i][j] + a * 6 + b;
            M66(F)
        }
    for (i = 1; i < n; i++)
        for (j = 0; j < n; j++) {
            tmp1 = u[i][j] * 3;
            tmp2 = tmp1 - 2;
#define H(a, b) h[i][j][a][b] = (a * b % 2 ? tmp1 : tmp2) + f[i - 1][j][a][b];
            M66(H)
        }
}

/* In place, each element by others of the same point. */
static void eliminate(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
#define E(a, b) f[i][j][a][b] -= f[i][j][b][a] * h[i][j][a][b] + f[i][j][5 - a][b];
            M66(E)
        }
}

/* Each row waits for the one before, whatever the directive says; columns do not. */
static void sweep(int n) {
    #pragma omp parallel for
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++) {
#define S(a, b) w[i][j][a * 6 + b] += w[i - 1][j][b * 6 + a] + u[i][j];
            M66(S)
        }
}

/* A sum and a running value between other assignments. */
static void among(int n, int *carry) {
    for (int i = 0; i < n; i++) {
#define A(a, b) h[i][0][a][b] = 2 * h[i][1][a][b] + a;
        R6(A, 0) R6(A, 1) R6(A, 2)
        total += (int)u[i][0];
        R6(A, 3) R6(A, 4)
        *carry = *carry / 2 + i;
        R6(A, 5)
    }
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            u[i][j] = (i * 7 + j * 3) % 5;
            for (int k = 0; k < 40; k++) w[i][j][k] = (i + j * k) % 7;
        }
    int carry = 100;
    for (int n = 0; n <= N; n += n < 2 ? 1 : 3) {
        jacobians(n);
        eliminate(n);
        sweep(n);
        among(n, &carry);
        double s = tmp1 + tmp2 * 3 + total + carry;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int a = 0; a < 36; a++)
                    s += (f[i][j][a / 6][a % 6] + h[i][j][a / 6][a % 6] * 2 + w[i][j][a]) * ((i + j + a) % 3);
        printf("%.17g\n", s);
    }
    return 0;
}
