/* Particles in the cells of a grid: how many each cell has, their charge, and the fastest; and the bins of their speeds. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 4001
#endif
#ifndef P
#define P 12
#endif
#ifndef Q
#define Q 20
#endif

static unsigned noise(void) {
    static unsigned seed = 29;
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* A cell's particles and charge; what has left the grid is no one's. */
static void deposit(int n, int p, int q, const int x[n], const int y[n], const double charge[n],
                    int count[p][q], double sum[p][q]) {
    for (int i = 0; i < n; i++)
        if (x[i] >= 0 && x[i] < p && y[i] >= 0 && y[i] < q)
            count[x[i]][y[i]]++;
    for (int i = 0; i < n; i++)
        if (x[i] >= 0 && x[i] < p && y[i] >= 0 && y[i] < q)
            sum[x[i]][y[i]] += charge[i];
}

static void speeds(int n, int bins, const unsigned char *restrict speed, unsigned histogram[bins]) {
    for (int i = 0; i < n; i++)
        histogram[speed[i]]++;
}

/* By kind: the fastest particle's speed, and which kinds of cells it has been in. */
static void kinds(int n, int m, const short kind[n], const int speed[n], int fastest[m], unsigned seen[m]) {
    for (int i = 0; i < n; i++)
        fastest[kind[i]] = speed[i] > fastest[kind[i]] ? speed[i] : fastest[kind[i]];
    for (int i = 0; i < n; i++)
        seen[kind[i]] |= 1u << speed[i] % 32;
}

int main(void) {
    int *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), *s = malloc(N * sizeof *s);
    double *charge = malloc(N * sizeof *charge), total = 0;
    unsigned char *speed = malloc(N);
    short *kind = malloc(N * sizeof *kind);
    int(*count)[Q] = calloc(P, sizeof *count);
    double(*sum)[Q] = calloc(P, sizeof *sum);
    static unsigned histogram[256], seen[5000];
    static int fastest[5000];
    long check = 0;
    if (!x || !y || !s || !charge || !speed || !kind || !count || !sum)
        return 1;
    for (int i = 0; i < N; i++) {
        x[i] = (int)(noise() % (P + 4)) - 2;
        y[i] = (int)(noise() % (Q + 4)) - 2;
        charge[i] = noise() % 16 * 0.25;
        s[i] = noise() % 100000;
        speed[i] = s[i] / 400;
        kind[i] = noise() % 5000;
    }
    for (int step = 0; step < 2; step++) {
        deposit(N, P, Q, x, y, charge, count, sum);
        speeds(N, 256, speed, histogram);
        kinds(N, 5000, kind, s, fastest, seen);
    }
    for (int c = 0; c < P * Q; c++)
        total += count[c / Q][c % Q] * 0.5 + sum[c / Q][c % Q];
    for (int b = 0; b < 5000; b++)
        check += fastest[b] % 97 + seen[b] % 89 + (b < 256 ? (long)histogram[b] * b : 0);
    printf("binning %.2f %ld\n", total, check);
    return 0;
}
