/* Sizes that only one way of the program needs: a call is held to them only where it goes that way. */
// original: 1 call of own
// original: 1 call of rows
#include <stdio.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define N 40

/* The length of a tile says nothing where there are none. */
static void one(int tiled, int n, int t, const unsigned *a, unsigned *b)
{
    if (!tiled) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) b[i * n + j] += a[i * n + j - 1] + a[i * n + j + 1];
    } else {
        for (int ii = 1; ii < n - 1; ii += t)
            for (int jj = 1; jj < n - 1; jj += t)
                for (int i = ii; i < MIN(n - 1, ii + t); i++)
                    for (int j = jj; j < MIN(n - 1, jj + t); j++) b[i * n + j] += 3 * a[i * n + j - 1];
    }
}

/* Either way has an array of its own, the copies of which are by its sizes. */
static void own(int tiled, int n, int t, const unsigned *a, unsigned *b, unsigned *c)
{
    if (tiled) {
        for (int ii = 0; ii < n; ii += t)
            for (int i = ii; i < ii + t; i++) b[i] = a[i] * 3u;
    } else {
        for (int i = 0; i < n; i++) c[i] = a[i] + 1u;
    }
}

/* Rows that are longer than those of the array lie in each other, in one of three ways. */
static void rows(int way, int n, int m, int ld, unsigned *a, const unsigned *b)
{
    if (way > 0) {
        if (way == 1) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) a[i * ld + j] += b[j];
        } else {
            for (int i = 0; i < n; i++) a[i * ld] += b[i];
        }
    } else {
        for (int i = 0; i < n; i++) a[i * ld] = 2u * b[i];
    }
}

/* A condition that the region changes itself tells nothing beforehand. */
static int stepped(int steps, int n, int t, unsigned *a)
{
    int tiled = 0;
    for (int s = 0; s < steps; s++) {
        if (tiled) {
            for (int ii = 0; ii < n; ii += t)
                for (int i = ii; i < MIN(n, ii + t); i++) a[i] += 5u;
        } else {
            for (int i = 0; i < n; i++) a[i] *= 3u;
        }
        if (s == 2) tiled = 1;
    }
    return tiled;
}

static unsigned a[N * N], b[N * N], c[N * N];

static void show(const char *what)
{
    unsigned h = 0;
    for (int i = 0; i < N * N; i++) h = h * 31 + a[i] * 7 + b[i] * 5 + c[i];
    printf("%s %u\n", what, h);
}

int main(void)
{
    for (int i = 0; i < N * N; i++) a[i] = i % 11, b[i] = i % 7, c[i] = i % 13;
    one(0, N, 0, a, b);
    one(0, N, -3, a, b);
    one(1, N, 7, a, b);
    show("one");
    own(1, 32, 8, a, b, c);
    own(0, 32, 0, a, b, c);
    own(0, 32, 8, a, b, c);
    show("own");
    rows(1, 10, 20, 30, a, b);
    rows(1, 10, 20, 7, a, b);
    rows(2, 10, 20, 7, a, b);
    rows(0, 10, 20, 7, a, b);
    show("rows");
    printf("%d\n", stepped(6, N, 8, a));
    show("stepped");
    return 0;
}
