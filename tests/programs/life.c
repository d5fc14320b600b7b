/* Conway's game of life on a torus. The grid has a border that repeats the opposite edge, renewed every generation. */
#include <stdio.h>

#ifndef N
#define N 37
#endif
#ifndef M
#define M 41
#endif
#ifndef GENERATIONS
#define GENERATIONS 8
#endif

static unsigned char cell[N + 2][M + 2], next[N + 2][M + 2];
static int population[GENERATIONS];

static void init(void) {
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++)
            cell[i][j] = (i * i + 3 * j + i * j) % 3 == 0;
}

static void live(void) {
    for (int t = 0; t < GENERATIONS; t++) {
        for (int j = 1; j <= M; j++) {
            cell[0][j] = cell[N][j];
            cell[N + 1][j] = cell[1][j];
        }
        for (int i = 0; i <= N + 1; i++) {
            cell[i][0] = cell[i][M];
            cell[i][M + 1] = cell[i][1];
        }
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= M; j++) {
                int around = 0;
                for (int p = -1; p <= 1; p++)
                    for (int q = -1; q <= 1; q++)
                        if (p != 0 || q != 0)
                            around += cell[i + p][j + q];
                next[i][j] = around == 3 || (around == 2 && cell[i][j]);
            }
        population[t] = 0;
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= M; j++) {
                cell[i][j] = next[i][j];
                population[t] += next[i][j];
            }
    }
}

int main(void) {
    long check = 0;
    init();
    live();
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++)
            check += cell[i][j] * (1 + (3 * i + j) % 11);
    printf("life");
    for (int t = 0; t < GENERATIONS; t++)
        printf(" %d", population[t]);
    printf(", %ld\n", check);
    return 0;
}
