/* Integer image processing: bit operations, unsigned wrap-around, shifts, narrow types. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 45
#endif
#ifndef M
#define M 61
#endif

static unsigned noise(void) {
    static unsigned seed = 18;
    seed = seed * 1664525u + 1013904223u;
    return seed;
}

/* Splits a packed pixel, turns it to grey, and packs grey and inverted grey again. */
static void to_grey(int n, int m, uint32_t pixel[n][m], uint8_t grey[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            uint32_t p = pixel[i][j];
            uint32_t r = p >> 16 & 0xff, g = p >> 8 & 0xff, b = p & 0xff;
            uint8_t y = (77 * r + 150 * g + 29 * b) >> 8;
            grey[i][j] = y;
            pixel[i][j] = (p & 0xff000000u) | (uint32_t)y << 16 | (uint32_t)(uint8_t)~y << 8 | y;
        }
}

/* A hash of every row; the arithmetic wraps. */
static void row_hash(int n, int m, uint8_t grey[n][m], uint32_t hash[n]) {
    for (int i = 0; i < n; i++) {
        uint32_t h = 2166136261u;
        for (int j = 0; j < m; j++) {
            h ^= grey[i][j];
            h *= 16777619u;
        }
        hash[i] = h;
    }
}

/* Binary dilation of the thresholded image by a cross, as words of 0 and 1. */
static void dilate(int n, int m, uint8_t grey[n][m], int threshold, int16_t out[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            out[i][j] = (grey[i][j] > threshold) | (grey[i - 1][j] > threshold) | (grey[i + 1][j] > threshold)
                        | (grey[i][j - 1] > threshold) | (grey[i][j + 1] > threshold);
}

/* Parity and population of the whole image. */
static void summary(int n, int m, uint32_t pixel[n][m], uint32_t *parity, long *bits) {
    uint32_t all = 0;
    long count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            uint32_t p = pixel[i][j];
            all ^= p;
            p = p - (p >> 1 & 0x55555555u);
            p = (p & 0x33333333u) + (p >> 2 & 0x33333333u);
            p = (p + (p >> 4)) & 0x0f0f0f0fu;
            count += p * 0x01010101u >> 24;
        }
    *parity = all;
    *bits = count;
}

int main(void) {
    uint32_t(*pixel)[M] = malloc(sizeof(uint32_t[N][M]));
    uint8_t(*grey)[M] = malloc(sizeof(uint8_t[N][M]));
    int16_t(*mask)[M] = calloc(N, sizeof(int16_t[M]));
    uint32_t *hash = malloc(N * sizeof *hash);
    uint32_t parity, check = 0;
    long bits, area = 0;
    if (!pixel || !grey || !mask || !hash)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            pixel[i][j] = noise();
    to_grey(N, M, pixel, grey);
    row_hash(N, M, grey, hash);
    dilate(N, M, grey, 160, mask);
    summary(N, M, pixel, &parity, &bits);
    for (int i = 0; i < N; i++) {
        check = check * 31u + hash[i];
        for (int j = 0; j < M; j++)
            area += mask[i][j] * (1 + j % 3);
    }
    printf("integers %08lx %08lx %ld %ld\n", (unsigned long)check, (unsigned long)parity, bits, area);
    free(pixel);
    free(grey);
    free(mask);
    free(hash);
    return 0;
}
