/* LU factorisation column by column: each column takes all the steps of elimination before the next one is touched.
 * The matrix is stored by columns, as Fortran has it. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 43
#endif

static void lu(int n, float *a) {
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = k + 1; i < n; i++)
                a[i + j * n] -= a[i + k * n] * a[k + j * n];
        for (int i = j + 1; i < n; i++)
            a[i + j * n] /= a[j + j * n];
    }
}

/* The product of the factors, in b. */
static void multiply(int n, const float *a, float *b) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            float sum = i <= j ? a[i + j * n] : 0.0f;
            for (int k = 0; k <= j && k < i; k++)
                sum += a[i + k * n] * a[k + j * n];
            b[i + j * n] = sum;
        }
}

int main(void) {
    float *a = malloc(sizeof(float) * N * N), *b = malloc(sizeof(float) * N * N);
    double check = 0.0, product = 0.0;
    if (!a || !b)
        return 1;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i + j * N] = i == j ? 2.0f : (i * 5 + j * 2) % 11 / (11.0f * N);
    lu(N, a);
    multiply(N, a, b);
    for (int i = 0; i < N * N; i++) {
        check += a[i] * (1 + i % 7);
        product += b[i] * (1 + i % 5);
    }
    printf("lu_jki %.5e %.5e\n", check, product);
    free(a);
    free(b);
    return 0;
}
