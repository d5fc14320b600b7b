/* Variable-length arrays of several ranks with restrict and const, and a work array on the stack. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 19
#endif

/* Contracts a tensor with a matrix along its last index, plane by plane. */
static void contract(size_t nr, size_t nq, size_t np, double a[restrict nr][nq][np], double c4[restrict np][np]) {
    double sum[np];
    for (size_t r = 0; r < nr; r++)
        for (size_t q = 0; q < nq; q++) {
            for (size_t p = 0; p < np; p++) {
                sum[p] = 0.0;
                for (size_t s = 0; s < np; s++)
                    sum[p] += a[r][q][s] * c4[s][p];
            }
            for (size_t p = 0; p < np; p++)
                a[r][q][p] = sum[p];
        }
}

/* out[i][j] = the trace over k of a[k][i][j] weighted by w[k]. */
static void fold(int n, int m, int depth, double a[static depth][n][m], const double w[static depth],
                 double out[restrict n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double acc = 0.0;
            for (int k = 0; k < depth; k++)
                acc += w[k] * a[k][i][j];
            out[i][j] = acc;
        }
}

int main(void) {
    int nr = N, nq = N + 2, np = N + 5;
    double(*a)[nq][np] = malloc(sizeof(double[nr][nq][np]));
    double(*c4)[np] = malloc(sizeof(double[np][np]));
    double(*out)[np] = malloc(sizeof(double[nq][np]));
    double w[N];
    double check = 0.0;
    if (!a || !c4 || !out)
        return 1;
    for (int r = 0; r < nr; r++) {
        w[r] = 1.0 / (r + 1);
        for (int q = 0; q < nq; q++)
            for (int p = 0; p < np; p++)
                a[r][q][p] = ((r * q + p) % np) / (double)np;
    }
    for (int s = 0; s < np; s++)
        for (int p = 0; p < np; p++)
            c4[s][p] = (s * p % np) / (double)np;
    contract(nr, nq, np, a, c4);
    fold(nq, np, nr, a, w, out);
    for (int q = 0; q < nq; q++)
        for (int p = 0; p < np; p++)
            check += out[q][p] * (1 + (q + p) % 7);
    printf("vla %.10e\n", check);
    free(a);
    free(c4);
    free(out);
    return 0;
}
