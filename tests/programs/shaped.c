/* What no C type says, said by a directive: the extents behind a pointer, and that a scatter never collides. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 53
#endif
#ifndef M
#define M 29
#endif

/* Copies every second row of a, which has n rows, into b, which has half as many. */
static void halve(int n, int m, const double *a, double *b) {
#pragma rt shape(a: n, m)
#pragma rt shape(b: n / 2, m)
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = 0.5 * (a[2 * i * m + j] + a[(2 * i + 1) * m + j]);
}

static void scatter(int n, const int *where, const double *from, double *to) {
#pragma rt shape(to: n)
#pragma rt parallel
    for (int i = 0; i < n; i++)
        to[where[i]] = from[i];
}

int main(void) {
    double *a = malloc(sizeof(double) * N * M);
    double *b = calloc(N * M, sizeof *b);
    double *c = malloc(sizeof(double) * N * M);
    int *where = malloc(sizeof(int) * N * M);
    double check = 0.0;
    if (!a || !b || !c || !where)
        return 1;
    for (int i = 0; i < N * M; i++) {
        a[i] = (i * 37 % 101) / 101.0;
        where[i] = N * M - 1 - i;
    }
    halve(N, M, a, b);
    scatter(N * M, where, b, c);
    for (int i = 0; i < N * M; i++)
        check += c[i] * (1 + i % 7);
    printf("shaped %.10e\n", check);
    free(a);
    free(b);
    free(c);
    free(where);
    return 0;
}
