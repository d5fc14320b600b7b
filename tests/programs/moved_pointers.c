/* Image filters as they were written for compilers that had to be helped: each iteration sets a pointer, which its
 * statements and inner loops move; brightnesses are compared by a table that is entered in its middle; results go where
 * another pointer is, moved on by each iteration. The last functions move pointers by what only the data know, or over
 * arrays that overlap. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 41
#endif
#ifndef M
#define M 53
#endif

enum { R = 2, SIDE = 2 * R + 1, TONES = 256 };

typedef unsigned char byte;

static byte noise(void)
{
    static unsigned seed = 28;
    seed = seed * 1664525u + 1013904223u;
    return seed >> 24;
}

/* A window moved by two loops, weights moved beside it, results one behind the other. */
static void smooth(const byte *in, byte *out, const byte *weights, const byte *alike, int h, int w, int r)
{
    const byte *p, *q, *here;
    const int beside = w - (2 * r + 1);
    int y, x, i, j, area, total, tone;
    for (y = r; y < h - r; y++)
        for (x = r; x < w - r; x++) {
            area = total = 0;
            p = in + (y - r) * w + x - r;
            q = weights;
            here = alike + in[y * w + x];
            for (i = -r; i <= r; i++) {
                for (j = -r; j <= r; j++) {
                    tone = *p++;
                    area += *q * *(here - tone);
                    total += *q++ * *(here - tone) * tone;
                }
                p += beside;
            }
            if (area == 0)
                *out++ = in[y * w + x];
            else
                *out++ = total / area;
        }
}

/* A chain of moves without loops. */
#define NEXT(weight) sum += (weight) * *p++
#define LAST(weight, on) sum += (weight) * *p, p += (on)
static void edges(const byte *in, int *out, int h, int w)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            const byte *p = &in[(y - 1) * w + x - 1];
            int sum = 0;
            NEXT(-1);
            NEXT(-2);
            LAST(-1, w - 2);
            NEXT(0);
            NEXT(0);
            LAST(0, w - 2);
            NEXT(1);
            NEXT(2);
            NEXT(1);
            out[y * w + x] = sum;
        }
}

/* A window that is left as soon as too much of it is alike; set again where it is not. */
static void corners(const byte *in, int *out, const byte *alike, int h, int w, int most)
{
    const byte *p, *here;
    int y, x, n, lean;
    for (y = 1; y < h - 1; y++)
        for (x = 1; x < w - 1; x++) {
            n = 0;
            p = in + (y - 1) * w + x - 1;
            here = alike + in[y * w + x];
            n += *(here - *p++);
            n += *(here - *p++);
            n += *(here - *p);
            if (n < most) {
                p += w - 2;
                n += *(here - *p);
                if (n < most) {
                    p += 2;
                    n += *(here - *p);
                    if (n < most) {
                        p = in + (y + 1) * w + x - 1;
                        lean = *p++;
                        lean -= *++p;
                        out[y * w + x] = most - n + lean;
                    }
                }
            }
        }
}

/* Two pointers that go on together, of which one says where the other stands. */
static void mark(byte *in, const int *marks, int n)
{
    const int *at = marks;
    for (int i = 0; i < n; i++) {
        if (*at > 400)
            *(in + (at - marks)) = 0;
        at++;
    }
}

/* A layer of neurons: weights stand one behind the other, that of the threshold first. Without inputs that loop does not run. */
static void layer(const int *weights, const byte *in, int *out, int inputs, int neurons)
{
    const int *w = weights;
    int *o = out;
    for (int j = 0; j < neurons; j++) { // original: leaves its row
        int sum = -*w++;
        for (int k = 0; k < inputs; k++)
            sum += *w++ * in[k];
        *o++ = sum / 16;
    }
}

/* What moves the pointer is moved by the head of the loop: no distance that is the same in each iteration. */
static void further(const byte *in, int *out, int n, int m)
{
    for (int i = 0; i < n; i++) {
        const byte *p = in + i;
        int by = 1, sum = 0;
        for (int j = 0; j < m; j++, by += 2) {
            sum += *p;
            p += by; // decline: a pointer
        }
        out[i] = sum;
    }
}

/* The data say how far it moves. */
static void follow(const byte *in, int *out, int n, int m)
{
    for (int i = 0; i < n; i++) {
        const byte *p = in + i;
        int sum = 0;
        for (int j = 0; j < m; j++) {
            sum += *p;
            p += *p % 3; // decline: a pointer
        }
        out[i] = sum;
    }
}

/* One of two arrays, and nobody knows which. */
static void either(const byte *a, const byte *b, int *out, int n)
{
    for (int i = 0; i < n; i++) {
        const byte *p = i % 3 ? a + i : b + i; // decline: the pointer `p` is declared here
        int sum = *p++;
        out[i] = sum - *p;
    }
}

/* Each iteration reads what the one before it wrote, if the arrays are one. */
static void spread(const byte *in, byte *out, int h, int w)
{
    for (int y = 1; y < h; y++) { // original: overlap
        const byte *p = in + (y - 1) * w;
        byte *q = out + y * w;
        for (int x = 0; x < w; x++)
            *q++ = *p++ / 2 + 3;
    }
}

/* A table that begins where it is entered: no brightness is less than the other. */
static void above(const byte *low, const byte *high, int *out, const int *table, int n)
{
    for (int i = 0; i < n; i++) // original: overlap
        out[i] = table[high[i] - low[i]];
}

static unsigned long sum(const int *a, int n)
{
    unsigned long all = 0;
    for (int i = 0; i < n; i++)
        all += (unsigned long)a[i] * (i % 31 + 1);
    return all;
}

int main(void)
{
    byte *in = malloc(N * M), *out = calloc(N * M, 1), *weights = malloc(SIDE * SIDE), *alike = malloc(2 * TONES + 5);
    int *a = calloc(N * M, sizeof *a), *b = calloc(N * M, sizeof *b);
    int *table = malloc(TONES * sizeof *table), check = 0;
    if (!in || !out || !weights || !alike || !a || !b || !table)
        return 1;
    for (int i = 0; i < N * M; i++)
        in[i] = noise(); // decline: from call to call
    for (int k = 0; k < SIDE * SIDE; k++)
        weights[k] = 1 + k % SIDE * (SIDE - 1 - k % SIDE);
    for (int k = -TONES; k <= TONES; k++)
        alike[TONES + 2 + k] = 100 * exp(-(k / 40.0) * (k / 40.0));
    for (int k = 0; k < TONES; k++)
        table[k] = k * k % 101;
    smooth(in, out, weights, alike + TONES + 2, N, M, R);
    edges(in, a, N, M);
    corners(in, b, alike + TONES + 2, N, M, 60);
    mark(in, a, N * M);
    printf("%lu %lu\n", sum(a, N * M), sum(b, N * M));
    layer(a, in, b, M - 1, N);
    layer(a, in, b + N, -2, N);
    printf("%lu\n", sum(b, N * M));
    further(in, a, N, M / 8);
    follow(in, b, N, M);
    printf("%lu %lu\n", sum(a, N * M), sum(b, N * M));
    either(in, out, a, N * M - 1);
    spread(in, in, N, M);
    for (int i = 0; i < N * M; i++)
        out[i] = in[i] / 2;
    above(out, in, b, table, N * M);
    for (int i = 0; i < N * M; i++)
        check += out[i] * (i % 7) + in[i];
    printf("%lu %lu %d\n", sum(a, N * M), sum(b, N * M), check);
    free(in), free(out), free(weights), free(alike), free(a), free(b), free(table);
    return 0;
}
