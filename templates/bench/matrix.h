/* Sparse matrices in compressed rows, which both programs of a comparison make for themselves: the environment variable
 * RT_BENCH names one, as in `poisson 64` (the 7-point Laplacian on a cube of 64 points a side) or `power-law 100000`
 * (rows whose lengths fall off by a power: a few have thousands of entries). C and C++. */
#ifndef RT_BENCH_MATRIX_H
#define RT_BENCH_MATRIX_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct matrix {
    int n, *start, *column;
    double *value;
};

static void *bench_memory(size_t count, size_t size) {
    void *memory = malloc(count * size + 1);
    if (!memory) {
        fprintf(stderr, "no memory for %zu elements of %zu bytes\n", count, size);
        exit(2);
    }
    return memory;
}

static struct matrix bench_empty(int n, size_t most) {
    struct matrix a = {n, (int *)bench_memory((size_t)n + 1, sizeof(int)), (int *)bench_memory(most, sizeof(int)),
                       (double *)bench_memory(most, sizeof(double))};
    return a;
}

static struct matrix bench_poisson(int m) {
    struct matrix a = bench_empty(m * m * m, 7 * (size_t)m * m * m);
    int count = 0;
    for (int i = 0; i < a.n; i++) {
        int at[3] = {i / (m * m), i / m % m, i % m}, stride[3] = {m * m, m, 1};
        a.start[i] = count;
        for (int d = 0; d < 3; d++)
            if (at[d] > 0)
                a.column[count] = i - stride[d], a.value[count++] = -1.0;
        a.column[count] = i, a.value[count++] = 6.0;
        for (int d = 2; d >= 0; d--)
            if (at[d] < m - 1)
                a.column[count] = i + stride[d], a.value[count++] = -1.0;
    }
    a.start[a.n] = count;
    return a;
}

/* The next number of a sequence (Marsaglia, "Xorshift RNGs", 2003), in (0, 1]. */
static double bench_random(unsigned long long *state) {
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return ((*state >> 11) + 1) * (1.0 / 9007199254740993.0);
}

/* Row lengths of 4 / u^0.7: 13 on average, some thousands at most. */
static struct matrix bench_power_law(int n) {
    unsigned long long state = 88172645463325252ull;
    struct matrix a = bench_empty(n, 32 * (size_t)n);
    size_t count = 0;
    for (int i = 0; i < n; i++) {
        double u = bench_random(&state), length = 4.0;
        for (double power = 1.0; power * u < 1.0 && length < n / 4; power *= 1.1)
            length *= 1.069; /* 1.1^0.7 */
        a.start[i] = (int)count;
        for (int k = 0; k < (int)length && count < 32 * (size_t)n; k++) {
            a.column[count] = (int)(bench_random(&state) * (n - 1));
            a.value[count++] = 1.0 / (1 + k);
        }
    }
    a.start[n] = (int)count;
    return a;
}

static struct matrix bench_matrix(void) {
    const char *name = getenv("RT_BENCH");
    if (name && strncmp(name, "poisson ", 8) == 0)
        return bench_poisson(atoi(name + 8));
    if (name && strncmp(name, "power-law ", 10) == 0)
        return bench_power_law(atoi(name + 10));
    fprintf(stderr, "RT_BENCH names no matrix\n");
    exit(2);
}

#endif
