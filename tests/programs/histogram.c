/* Histogram of the values of an image: the element that is counted depends on the data. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 77
#endif
#define BINS 256

static unsigned char noise(void) {
    static unsigned seed = 13;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) & (seed >> 24);
}

static void histogram(int n, int m, unsigned char image[n][m], int count[BINS]) {
    for (int b = 0; b < BINS; b++)
        count[b] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            count[image[i][j]]++;
}

int main(void) {
    unsigned char(*image)[M] = malloc(sizeof(unsigned char[N][M]));
    int count[BINS];
    long check = 0;
    if (!image)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            image[i][j] = noise();
    histogram(N, M, image, count);
    for (int b = 0; b < BINS; b++)
        check += (long)count[b] * (b + 1);
    printf("histogram %ld\n", check);
    free(image);
    return 0;
}
