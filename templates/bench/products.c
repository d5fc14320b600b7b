/* A product of matrices, or of a matrix and a vector, in plain loops, some times: RT_BENCH is `gemm N` or `gemv N`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* c = a b, b = a c, in turns: each product waits for the one before. */
static void gemm(int runs, int n, const double *a, double *b, double *c) {
    for (int run = 0; run < runs; run++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0.0;
                for (int k = 0; k < n; k++)
                    sum += a[i * n + k] * b[k * n + j];
                c[i * n + j] = sum;
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0.0;
                for (int k = 0; k < n; k++)
                    sum += a[i * n + k] * c[k * n + j];
                b[i * n + j] = sum;
            }
    }
}

static void gemv(int runs, int n, const double *a, double *x, double *y) {
    for (int run = 0; run < runs; run++) {
        for (int i = 0; i < n; i++) {
            y[i] = 0.0;
            for (int j = 0; j < n; j++)
                y[i] += a[i * n + j] * x[j];
        }
        for (int i = 0; i < n; i++) {
            x[i] = 0.0;
            for (int j = 0; j < n; j++)
                x[i] += a[i * n + j] * y[j];
        }
    }
}

int main(void) {
    const char *name = getenv("RT_BENCH");
    int n = name && strlen(name) > 5 ? atoi(name + 5) : 0;
    size_t size = (size_t)n * n;
    double *a = malloc(size * sizeof *a + 1), *b = malloc(size * sizeof *b + 1), *c = malloc(size * sizeof *c + 1);
    if (n <= 0 || !a || !b || !c)
        return 2;
    for (size_t i = 0; i < size; i++)
        a[i] = 1.0 / (n + i % 17), b[i] = 1.0 / (1 + i % 13);
    if (name[3] == 'm')
        gemm(10, n, a, b, c);
    else
        gemv(10, n, a, b, c);
    free(a), free(b), free(c);
    return 0;
}
