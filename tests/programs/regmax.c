/* Regional maxima of an image: the connected plateaus of one value that no neighbour exceeds.
 *
 * Every pixel starts as a candidate. One falls when a neighbour is higher, or is as high and has fallen; sweeps go on
 * until none falls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 45
#endif
#ifndef M
#define M 61
#endif

static int noise(int levels) {
    static unsigned seed = 15;
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 16) % levels);
}

static int regmax(int n, int m, int image[n][m], int peak[n][m], int next[n][m]) {
    int sweeps = 0;
    int fallen = 1;
    while (fallen > 0) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int stays = peak[i][j];
                for (int p = -1; p <= 1; p++)
                    for (int q = -1; q <= 1; q++) {
                        int other = image[i + p][j + q];
                        if (other > image[i][j] || (other == image[i][j] && peak[i + p][j + q] == 0))
                            stays = 0;
                    }
                next[i][j] = stays;
            }
        fallen = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                fallen += peak[i][j] - next[i][j];
                peak[i][j] = next[i][j];
            }
        sweeps++;
    }
    return sweeps;
}

int main(void) {
    int(*image)[M] = malloc(sizeof(int[N][M]));
    int(*peak)[M] = malloc(sizeof(int[N][M]));
    int(*next)[M] = malloc(sizeof(int[N][M]));
    long check = 0;
    if (!image || !peak || !next)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            int border = i == 0 || j == 0 || i == N - 1 || j == M - 1;
            image[i][j] = border ? -1 : noise(4);
            peak[i][j] = !border;
        }
    memcpy(next, peak, sizeof(int[N][M]));
    int sweeps = regmax(N, M, image, peak, next);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check += peak[i][j] * (1L + (3 * i + j) % 11);
    printf("regmax %ld in %d sweeps\n", check, sweeps);
    free(image);
    free(peak);
    free(next);
    return 0;
}
