/* The last iteration that a condition holds in: one loop, several places, other types, none at all. */
#include <stddef.h>
#include <stdio.h>

#ifndef N
#define N 4000
#endif

static double w[N];
static int at[60], grid[60][80];

int main(void) {
    int n = N, last = -1, never = -7, either = 5, row = -1;
    unsigned char low = 9;
    size_t where = 3;
    for (int i = 0; i < n; i++)
        w[i] = (i * 37 % 101) * 0.01;
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 80; j++)
            grid[i][j] = (i * 80 + j) * 7 % 97;
    for (int j = 0; j < n; j++)
        if (w[j] > 0.5)
            last = j;
    for (int j = 3; j < n; j++) {
        if (w[j] > 2)
            never = j;
        if (w[j] < 0.2)
            either = j;
        else if (w[j] > 0.9)
            either = j;
    }
    for (size_t j = 0; j < N; j++)
        if (w[j] < 0.3) {
            where = j;
            low = j;
        }
    for (int i = 0; i < 60; i++) {
        at[i] = -1;
        int mine = -1;
        for (int j = 0; j < 80; j++)
            if (grid[i][j] < 9)
                mine = j;
        at[i] = mine;
        for (int j = 0; j < 80; j++)
            if (grid[i][j] == 96)
                row = i;
    }
    long sum = 0;
    for (int i = 0; i < 60; i++)
        sum += at[i];
    printf("%d %d %d %zu %d %d %ld\n", last, never, either, where, low, row, sum);
    return 0;
}
