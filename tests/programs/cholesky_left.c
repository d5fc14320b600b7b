/* Cholesky's factorisation, left-looking: a column gathers what all columns to its left take out of it. The factor goes
 * to a matrix of its own, in rows written by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 41
#endif

static void cholesky(int n, const double *a, double *l) {
    for (int j = 0; j < n; j++) {
        double sum = a[j * n + j];
        for (int k = 0; k < j; k++)
            sum -= l[j * n + k] * l[j * n + k];
        l[j * n + j] = sqrt(sum);
        for (int i = j + 1; i < n; i++) {
            double s = a[i * n + j];
            for (int k = 0; k < j; k++)
                s -= l[i * n + k] * l[j * n + k];
            l[i * n + j] = s / l[j * n + j];
        }
    }
}

/* The largest error of l times its transpose. */
static double error(int n, const double *a, const double *l) {
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k <= j; k++)
                sum += l[i * n + k] * l[j * n + k];
            if (fabs(sum - a[i * n + j]) > largest)
                largest = fabs(sum - a[i * n + j]);
        }
    return largest;
}

int main(void) {
    double *a = malloc(sizeof(double) * N * N), *l = calloc(N * N, sizeof *l);
    double check = 0.0;
    if (!a || !l)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i * N + j] = i == j ? N : 1 + (i * j + i + j) % 3 / 3.0;
    cholesky(N, a, l);
    for (int i = 0; i < N * N; i++)
        check += l[i] * (1 + i % 7);
    printf("cholesky_left %.10e %s\n", check, error(N, a, l) < 1e-10 ? "exact" : "wrong");
    free(a);
    free(l);
    return 0;
}
