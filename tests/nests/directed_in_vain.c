/* A directive that cannot be right, as each iteration writes the same variable, does not keep the variable from being
   taken apart. */
#include <stdio.h>

static double scale, a[20][30], b[20][30], u[20][30];

static void scaled(int n, int m)
{
    int i, j;
#pragma omp for
    for (j = 1; j < m; j++) {
        for (i = 0; i < n; i++) {
            scale = 1.0 / u[i][j];
            a[i][j] = scale * scale;
        }
        for (i = 1; i < n - 1; i++) {
            scale = 2.0 * u[i][j];
            b[i][j] = scale * a[i - 1][j] + a[i + 1][j];
        }
    }
}

int main(void)
{
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++)
            u[i][j] = 1 + i + 0.5 * j;
    scaled(18, 27);
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++)
            printf("%g %g\n", a[i][j], b[i][j]);
    printf("%g\n", scale);
    return 0;
}
