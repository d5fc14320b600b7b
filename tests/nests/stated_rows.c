/* A shape that is stated does not change how long C takes a row to be. */
#include <stdio.h>
#pragma rt shape(b: n, 2 * m + 1)
static void g(int n, int m, int (*b)[9]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i][j] = 3 * b[i][j] + i + j;
}
#pragma rt shape(b: n, 8)
static void h(int n, int m, int (*b)[9]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i][j] = 3 * b[i][j] + i + j;
}
int main(void) {
    static int b[20][9];
    for (int i = 0; i < 180; i++) b[0][i] = i;
    g(8, 5, b); g(9, 4, b); g(9, 3, b); h(8, 5, b);
    int s = 0; for (int i = 0; i < 180; i++) s += b[0][i] * (i % 7);
    printf("%d\n", s);
}
