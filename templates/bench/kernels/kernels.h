/* What the rows of `rtcuda bench kernels` share: memory with values in it, and which row is run with what sizes. */
#pragma once

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row: `size` is what the command line gives after its name; what is measured is called `runs` times. */
#define ROW(name) static void name##_row(const long *size, int runs)
#define MOST_SIZES 4

/* Values repeat after so many elements: a prime, so that no row of a matrix is like the one before. */
#define PERIOD 65521

static void *memory(size_t bytes) {
    void *p = malloc(bytes + 1);
    if (!p) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return p;
}

/* The first elements again and again, as far as the array goes. */
static void *repeated(void *p, size_t width, long n) {
    for (long done = PERIOD; done < n; done *= 2)
        memcpy((char *)p + done * width, p, (done < n - done ? done : n - done) * width);
    return p;
}

static unsigned scrambled(long i) {
    unsigned x = (unsigned)i * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

/* Between a half and one and a half. */
static float *floats(long n) {
    float *p = memory(n * sizeof *p);
    for (long i = 0; i < n && i < PERIOD; i++)
        p[i] = 0.5f + scrambled(i) / 4294967296.0f;
    return repeated(p, sizeof *p, n);
}

static double *doubles(long n) {
    double *p = memory(n * sizeof *p);
    for (long i = 0; i < n && i < PERIOD; i++)
        p[i] = 0.5 + scrambled(i) / 4294967296.0;
    return repeated(p, sizeof *p, n);
}

static int *ints(long n, long below) {
    int *p = memory(n * sizeof *p);
    for (long i = 0; i < n && i < PERIOD; i++)
        p[i] = scrambled(i) % below;
    return repeated(p, sizeof *p, n);
}

static unsigned char *bytes(long n, long below) {
    unsigned char *p = memory(n);
    for (long i = 0; i < n && i < PERIOD; i++)
        p[i] = scrambled(i) % below;
    return repeated(p, 1, n);
}

static void *zeros(size_t n_bytes) { return memset(memory(n_bytes), 0, n_bytes); }

/* The numbers behind the word at `at`. */
static int sizes(int argc, char **argv, int at, long *size) {
    int n = 0;
    while (n < MOST_SIZES && at + 1 + n < argc && isdigit((unsigned char)argv[at + 1 + n][0])) {
        size[n] = atol(argv[at + 1 + n]);
        n++;
    }
    return at + 1 + n;
}
