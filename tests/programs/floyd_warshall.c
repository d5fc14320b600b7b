/* The shortest paths between all pairs of towns by Floyd and Warshall, with the first stop on the way. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 53
#endif
#define FAR 1000000

static void roads(int n, int d[n][n], int next[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int is_road = (i * 7 + j * 3) % 5 == 0 || j == (i + 1) % n;
            d[i][j] = i == j ? 0 : is_road ? 1 + (i * 13 + j * 29) % 37 : FAR;
            next[i][j] = d[i][j] < FAR ? j : -1;
        }
}

static void shortest(int n, int d[n][n], int next[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i][k] + d[k][j] < d[i][j]) {
                    d[i][j] = d[i][k] + d[k][j];
                    next[i][j] = next[i][k];
                }
}

/* The same without the stops. */
static void lengths(int n, float w[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                w[i][j] = w[i][j] < w[i][k] + w[k][j] ? w[i][j] : w[i][k] + w[k][j];
}

/* The same where there is a road at all, with a function for the lesser, and row after column in memory. */
static int lesser(int a, int b) {
    int value;
    if (a < b)
        value = a;
    else
        value = b;
    return value;
}

static void reached(int n, int *a) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            if (a[k + j * n] < FAR)
                for (int i = 0; i < n; i++)
                    if (a[i + k * n] < FAR)
                        a[i + j * n] = lesser(a[i + j * n], a[i + k * n] + a[k + j * n]);
}

int main(void) {
    int(*d)[N] = malloc(sizeof(int[N][N])), (*next)[N] = malloc(sizeof(int[N][N]));
    float(*w)[N] = malloc(sizeof(float[N][N]));
    int *a = malloc(N * N * sizeof *a);
    long check = 0, stops = 0, ways = 0;
    double sum = 0.0;
    if (!d || !next || !w || !a)
        return 1;
    roads(N, d, next);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            w[i][j] = 0.5f * d[i][j], a[j + i * N] = (i + j) % 3 ? d[i][j] : FAR;
    shortest(N, d, next);
    lengths(N, w);
    reached(N, a);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            check += d[i][j] * (1 + (i + j) % 7);
            stops += next[i][j];
            sum += w[i][j];
            ways += a[j + i * N] * (1 + (i + 2 * j) % 5);
        }
    printf("floyd_warshall %ld %ld %.2f %ld\n", check, stops, sum, ways);
    free(d);
    free(next);
    free(w);
    free(a);
    return 0;
}
