/* One counter is another axis, or a thread's own loop, in the nest behind: joined, the two would be one. */
#include <stdio.h>
static double a[9][9], b[9][9], c[9][9], li[60], xd[6], xi[10];
static void other_axis(int n, double a[n][n], double b[n][n], double c[n][n]) {
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) a[i][j] = b[i][j] * 3;
    for (j = 0; j < n; j++)
        for (i = 0; i < n; i++) c[j][i] = a[j][i] + b[j][i] * 2;
}
static void products(int nd, double *xd, int ni, double *xi, double *li) {
    int i, j, k;
    for (j = 0; j < nd; j++)
        for (i = 0; i < ni; i++) li[i + j * ni] = 1.0;
    for (i = 0; i < nd; i++)
        for (j = 0; j < nd; j++)
            if (j != i)
                for (k = 0; k < ni; k++) li[k + i * ni] = li[k + i * ni] * (xi[k] - xd[j]) - xd[i];
}
static void inside_the_thread(int nd, double *restrict xd, int ni, double *restrict xi, double *restrict li) {
    int i, j, k, l;
    for (j = 0; j < nd; j++)
        for (i = 0; i < ni; i++) li[i + j * ni] += 1.0;
    for (l = 0; l < nd; l++)
        for (k = 0; k < ni; k++)
            for (j = 0; j < nd; j++) li[k + l * ni] = li[k + l * ni] * (xi[k] + xd[j]) - xd[l];
    for (j = 0; j < nd; j++)
        for (i = 0; i < ni; i++) li[i + j * ni] += xi[i] * j;
}
int main(void) {
    double s = 0;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) b[i][j] = i * 7 % 5 + j;
    for (int i = 0; i < 6; i++) xd[i] = i;
    for (int i = 0; i < 10; i++) xi[i] = i % 4;
    other_axis(9, a, b, c);
    products(6, xd, 10, xi, li);
    inside_the_thread(6, xd, 10, xi, li);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) s += c[i][j] * (i + 2 * j);
    for (int i = 0; i < 60; i++) s += li[i] * (i % 7);
    printf("%g\n", s);
    return 0;
}
