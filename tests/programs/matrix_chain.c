/* In which order to multiply a chain of matrices: the cost of every part of the chain, shorter parts first, with the
 * place where the best order splits it. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 46
#endif

static void order(int n, const int size[n + 1], long cost[n][n], int split[n][n]) {
    for (int i = 0; i < n; i++)
        cost[i][i] = 0;
    for (int length = 2; length <= n; length++)
        for (int i = 0; i + length <= n; i++) {
            int j = i + length - 1;
            long best = -1;
            int at = i;
            for (int k = i; k < j; k++) {
                long c = cost[i][k] + cost[k + 1][j] + (long)size[i] * size[k + 1] * size[j + 1];
                if (best < 0 || c < best) {
                    best = c;
                    at = k;
                }
            }
            cost[i][j] = best;
            split[i][j] = at;
        }
}

int main(void) {
    int *size = malloc((N + 1) * sizeof *size), (*split)[N] = calloc(N, sizeof *split);
    long(*cost)[N] = calloc(N, sizeof *cost);
    long check = 0;
    if (!size || !split || !cost)
        return 1;
    for (int i = 0; i <= N; i++)
        size[i] = 5 + (i * 23 + i * i) % 31;
    order(N, size, cost, split);
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            check += cost[i][j] % 1009 + split[i][j];
    printf("matrix_chain %ld split at %d, %ld\n", cost[0][N - 1], split[0][N - 1], check);
    free(size);
    free(split);
    free(cost);
    return 0;
}
