/* Reductions over every associative operator, into scalars and into array elements. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 77
#endif

static double x[N][M], row_sum[N], column_max[M];
static int k[N][M];
static unsigned column_bits[M];

static double total, product, smallest, largest;
static int common, any, odd;
static long count;

static void init(void) {
    unsigned seed = 21;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            seed = seed * 1664525u + 1013904223u;
            x[i][j] = (seed >> 8) / 16777216.0 - 0.5;
            k[i][j] = (int)(seed >> 12 & 0xffff) | 0x40;
        }
}

static void reduce_doubles(void) {
    total = 0.0;
    product = 1.0;
    smallest = x[0][0];
    largest = x[0][0];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            total += x[i][j];
            product *= 1.0 + 0.01 * x[i][j];
            smallest = fmin(smallest, x[i][j]);
            largest = fmax(x[i][j], largest);
        }
}

static void reduce_ints(void) {
    int all = ~0, some = 0, parity = 0;
    long positive = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            all &= k[i][j];
            some = some | k[i][j];
            parity ^= k[i][j];
            if (x[i][j] > 0.0)
                positive++;
        }
    common = all;
    any = some;
    odd = parity;
    count = positive;
}

static void reduce_lines(void) {
    for (int i = 0; i < N; i++)
        row_sum[i] = 0.0;
    for (int j = 0; j < M; j++) {
        column_max[j] = -1.0;
        column_bits[j] = 0u;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            row_sum[i] = row_sum[i] + x[i][j];
            if (column_max[j] < x[i][j])
                column_max[j] = x[i][j];
            column_bits[j] |= (unsigned)k[i][j];
        }
}

int main(void) {
    double check = 0.0;
    unsigned long bits = 0;
    init();
    reduce_doubles();
    reduce_ints();
    reduce_lines();
    for (int i = 0; i < N; i++)
        check += row_sum[i] * (1 + i % 7);
    for (int j = 0; j < M; j++) {
        check += column_max[j] * (1 + j % 7);
        bits += column_bits[j] * (1UL + j % 5);
    }
    printf("reductions %.8e %.8e %.8f %.8f %d %d %d %ld %.8e %lu\n", total, product, smallest, largest, common, any, odd,
           count, check, bits);
    return 0;
}
