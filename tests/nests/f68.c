/* A scalar that one thread computes from an array that the steps change: other threads do not compute it by themselves. */
#include <stdio.h>
#include <stdlib.h>

static double steps(int n, double d[n][n]) {
    double s = 0.0;
    int t = 0;
    do {
        s = 0.5 * d[0][1] + d[1][0];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                d[i][j] = 0.25 * d[i][j] + s;
        t++;
    } while (t < 5 && s <= 35.0);
    return s;
}

int main(void) {
    int n = 37;
    double(*d)[n] = malloc(sizeof(double[n][n]));
    if (!d)
        return 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            d[i][j] = (i * 7 + j * 3) % 11 - 5;
    printf("%.9g %.9g\n", steps(n, d), d[n - 1][n - 1]);
    free(d);
    return 0;
}
