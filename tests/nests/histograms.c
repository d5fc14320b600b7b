/* Elements that the data choose, of every type and operator that a block has copies of; rows that begin anywhere, keys of
   every type, arrays that no cells hold. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned seed = 7;
static unsigned drawn(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void bytes(long n, int nb, const unsigned char *restrict a, int h[nb]) {
    for (long i = 0; i < n; i++)
        h[a[i]]++;
}

static void shifted(int n, int nb, const unsigned short key[n], unsigned long h[nb]) {
    for (int i = 1; i < n; i++)
        h[key[i - 1]] += i;
}

static void backwards(int n, int nb, const int key[n], int h[nb]) {
    for (int i = n - 1; i >= 0; i -= 2)
        h[key[i]] -= i;
}

static void weights(int n, int nb, const int *restrict key, const float *restrict w, float h[nb]) {
    for (int i = 0; i < n; i++)
        h[key[i]] += w[i];
}

static void guarded(int n, int nb, const long key[n], const double x[n], double h[nb]) {
    for (int i = 0; i < n; i++)
        if (key[i] >= 0 && key[i] < nb)
            h[key[i]] += x[i];
}

static void least(int n, int nb, const unsigned key[n], const int x[n], int low[nb]) {
    for (int i = 0; i < n; i++)
        low[key[i]] = x[i] < low[key[i]] ? x[i] : low[key[i]];
}

static void greatest(int n, int nb, const unsigned key[n], const int x[n], unsigned high[nb], double top[nb], int seen[nb]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            if ((unsigned)x[i] > high[key[i]])
                high[key[i]] = x[i];
            if (x[i] * 0.5 > top[key[i]])
                top[key[i]] = x[i] * 0.5;
            seen[key[i]] |= 1 << (i & 15);
        }
    }
}

static void bits(int n, int nb, const int key[n], unsigned all[nb], int any[nb], long odd[nb]) {
    for (int i = 0; i < n; i++) {
        all[key[i]] &= ~(1u << (key[i] + i) % 32);
        any[key[i] / 2] |= i;
        odd[key[i] / 3] ^= i;
    }
}

static void planes(int n, int m, int p, int q, const int row[n][m], const short col[n][m], int h[p][q]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            h[row[i][j] % p][col[i][j] % q]++;
}

static void twice(int n, int nb, const int key[n], int h[nb]) {
    for (int i = 0; i < n; i++) {
        h[key[i]]++;
        h[nb - 1 - key[i]] += 2;
    }
}

static double run(int n, int nb) {
    static unsigned char a[3000];
    static unsigned short s[3000];
    static unsigned key[3000];
    static int x[3000], k[3000];
    static short c[3000];
    static long l[3000];
    static float w[3000];
    static double d[3000];
    int *h = calloc(nb, sizeof *h), *seen = calloc(nb, sizeof *seen), *low = calloc(nb, sizeof *low);
    unsigned *high = calloc(nb, sizeof *high), *all = calloc(nb, sizeof *all);
    unsigned long *wide = calloc(nb, sizeof *wide);
    float *f = calloc(nb, sizeof *f);
    double *g = calloc(nb, sizeof *g), *top = calloc(nb, sizeof *top), sum = 0;
    long *odd = calloc(nb, sizeof *odd);
    for (int i = 0; i < n; i++) {
        k[i] = drawn() % nb, key[i] = drawn() % nb, s[i] = drawn() % nb, a[i] = drawn() % (nb < 256 ? nb : 256);
        x[i] = (int)drawn() - (1 << 23), c[i] = drawn() % 300, l[i] = (long)(drawn() % (2 * nb)) - nb / 2;
        w[i] = drawn() % 8, d[i] = drawn() % 64;
    }
    for (int b = 0; b < nb; b++)
        low[b] = INT_MAX, all[b] = ~0u, top[b] = -1e30, g[b] = -0.0;
    bytes(n, nb, a, h);
    shifted(n, nb, s, wide);
    backwards(n, nb, k, h);
    weights(n, nb, k, w, f);
    guarded(n, nb, l, d, g);
    least(n, nb, key, x, low);
    greatest(n, nb, key, x, high, top, seen);
    bits(n, nb, k, all, seen, odd);
    int m = n % 2 ? 37 : 48;
    planes(n / m, m, nb / 3 + 1, 3, (const int(*)[m])k, (const short(*)[m])c, (int(*)[3])calloc(nb + 3, sizeof(int)));
    twice(n, nb, k, h);
    for (int b = 0; b < nb; b++)
        sum += h[b] * 3.0 + seen[b] % 101 + low[b] % 7 + high[b] % 11 + all[b] % 13 + wide[b] % 17 + f[b] + g[b] + top[b] / 1e30 + odd[b] % 19;
    return sum;
}

int main(void) {
    static const int sizes[][2] = {{0, 1}, {1, 1}, {15, 2}, {16, 40}, {2999, 7}, {2048, 256}, {3000, 300}, {3000, 9000}, {3000, 40000}};
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++)
        printf("%d %d %.3f\n", sizes[k][0], sizes[k][1], run(sizes[k][0], sizes[k][1]));
    return 0;
}
