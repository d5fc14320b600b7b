/* Counters of the file's, and counters that are read behind their loops: what they hold there is as it was. */
#include <stdio.h>

int i, j, k;
double a[60][70], x[80];
int start[61];

static void nest(int n, int m)
{
    for (i = 1; i < n; i++)
        for (j = m - 1; j >= 0; j -= 3)
            a[i][j] += i - 0.5 * j;
}

static void triangle(int n)
{
    for (k = 0; k < n; k++) {
        for (i = k + 1; i < n; i++)
            a[i][k] /= a[k][k] + 300;
        for (i = k + 1; i < n; i++)
            for (j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
}

static int behind(int n, int m)
{
    int row, column;
    for (row = 0; row < n && row < 50; row++) {
        for (column = 0; column < m - 1; column++)
            a[row][column] += x[column];
        a[row][column] = 1;
        for (column = m - 2; column > row; column--)
            a[row][column] *= 0.5;
        a[row][column] += 0.25;
    }
    x[row] = 2;
    return row + 100 * column;
}

static int rows(int n)
{
    int r, e;
    for (r = 0; r < n; r++)
        for (e = start[r]; e < start[r + 1]; e++)
            x[r] += e;
    return e;
}

static int sometimes(int n, int m)
{
    int r, c = -1;
    for (r = 0; r < n; r++)
        if (start[r] % 2)
            for (c = r; c < m; c += 2)
                a[r][c] += 0.125;
    return c;
}

static void show(const char *where)
{
    printf("%s %d %d %d\n", where, i, j, k);
}

int main(void)
{
    for (i = 0; i < 60; i++)
        for (j = 0; j < 70; j++)
            a[i][j] = (i * 7 + j * 3) % 11;
    show("begun");
    for (i = 0; i < 80; i++)
        x[i] = i;
    for (start[0] = 0, i = 0; i < 60; i++)
        start[i + 1] = start[i] + i % 4;
    int sizes[][2] = {{60, 70}, {1, 1}, {2, 40}, {0, 5}, {37, 0}, {60, 61}};
    for (int t = 0; t < 6; t++) {
        int n = sizes[t][0], m = sizes[t][1];
        nest(n, m);
        show("nest");
        triangle(n);
        show("triangle");
        if (n > 1 && m > 1)
            printf("behind %d\n", behind(n, m));
        printf("rows %d\n", n > 0 ? rows(n) : 0);
        printf("sometimes %d\n", sometimes(n, m));
    }
    for (k = 0; k < 60; k++)
        printf("%.17g %.17g %.17g\n", a[k][k], a[k][59 - k], x[k]);
    return 0;
}
