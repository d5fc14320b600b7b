#include <stdio.h>

static double b[22];

/* Where the loops are empty, what surrounds the elements of larger sizes is not. */
static void f746(int n, int m, int c[2 * n + m + 6][n + 2 * m + 3]) {
    for (int i = 2; i != m - 1; i++) {
        b[i] = c[i][2 * i] % 97 / 3;
        for (int j = 0; j < i; j++)
            if (i % 2 == 0)
                b[j] = (c[1][j] + j - 6) % 97;
    }
}

int main(void) {
    static int c[40][40];
    for (int i = 0; i < 22; i++)
        b[i] = i % 5;
    for (int i = 0; i < 40 * 40; i++)
        c[i / 40][i % 40] = i * 7 % 101;
    f746(13, 3, c);
    f746(13, 4, c);
    f746(13, 9, c);
    for (int i = 0; i < 9; i++)
        printf("%g ", b[i]);
    return 0;
}
