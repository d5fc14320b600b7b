/* Rows of a table behind loops over tiles, whose range no size bounds: the loops around them are converted, or say why not. */
#include <math.h>
#include <stdio.h>

static int found[9][7];

static void tiles(int n, int m, long **f) {
    int tile = (n + 2 * m) % 4 + 1;
    float t = 0;
    int k;
    for (int i = n - 1; i >= 1; i--)
        for (int tj = 2; tj <= n - 3; tj += tile)
            for (int tk = 0; tk < 6; tk += tile)
                for (int j = tj; j <= (tj + tile - 1 < n - 3 ? tj + tile - 1 : n - 3); j++)
                    for (k = tk; k < (tk + tile < 6 ? tk + tile : 6); k++) {
                        t = (f[k][-k + 5] + 5) / 3 % 97;
                        found[-k + 5][i] += t + t;
                        found[k][i] -= fmodf(4 - t, 97.0f);
                    }
}

int main(void) {
    static long table[6][6];
    long *f[6];
    long sum = 0;
    for (int i = 0; i < 6; i++) {
        f[i] = table[i];
        for (int j = 0; j < 6; j++) table[i][j] = i * 5 - j * 3;
    }
    tiles(7, 6, f);
    tiles(3, 6, f);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 7; j++) sum += found[i][j] * (i * 7 + j);
    printf("%ld\n", sum);
    return 0;
}
