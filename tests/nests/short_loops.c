/* Loops over a few unknowns within steps that are resident: in each thread of a block (f683), and in one thread (f1303). */
#include <math.h>
#include <stdio.h>

static unsigned char e[14][6];
static double d[40][24];
static int a[14][7][14];
static float b[3][3];
static int s[64];

static void f683(int n, int m, int x[n + 1][m + 2][n + 1], double y[2 * n + m + 1][n + m + 6]) {
    int j;
#pragma rt region
    for (int i = 0; i < n - 2; i++) {
        for (j = 0; j <= (m - 1 < i + 2 ? m - 1 : i + 2); j++) {
            y[i][j] = fmod(-(y[i + j][j] * y[i][j]), 97.0);
            double w[2];
            for (int q = 0; q < 2; q++)
                w[q] = x[i][j][i] * q % 97;
            for (int q = 0; q < 2; q++)
                e[i][j] &= (int)fmod(w[q], 97.0);
        }
    }
#pragma rt end
}

static void f1303(int n, int m, float (*x)[3], int *y) {
    int k;
#pragma rt region
    for (int i = 1; i >= 0; i -= 3) {
        for (int j = i; j <= 1; j += 2) {
            for (k = 0; k <= m - 2; k++) {
                double w[3];
                for (int q = 0; q < 3; q++)
                    w[q] = fabs(x[i][j]);
                for (int q = 0; q < 3; q++)
                    y[i * (2 * n + 1) + j] = y[i * (2 * n + 1) + j] < w[q] ? y[i * (2 * n + 1) + j] : w[q];
            }
        }
    }
#pragma rt end
}

int main(void)
{
    for (int i = 0; i < 14; i++)
        for (int j = 0; j < 7; j++)
            for (int k = 0; k < 14; k++)
                a[i][j][k] = (i * 98 + j * 14 + k) * 11 % 29 - 9;
    for (int i = 0; i < 14; i++)
        for (int j = 0; j < 6; j++)
            e[i][j] = (i * 42 + j * 7 + 3) % 251;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 24; j++)
            d[i][j] = (i * 24 + j) * 7 % 19 - 9;
    for (int k = 0; k < 9; k++)
        b[k / 3][k % 3] = k * 5 % 7 - 3;
    for (int k = 0; k < 64; k++)
        s[k] = k % 9;
    f683(13, 5, a, d);
    f1303(4, 4, b, s);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 24; j++)
            printf("%g %d\n", d[i][j], i < 14 && j < 6 ? e[i][j] : s[(i + j) % 64]);
    return 0;
}
