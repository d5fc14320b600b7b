/* Sweeps by wavefronts through whole bodies: forwards, backwards, in a triangle, and with a stride. */
#include <stdio.h>
#define N 23
#define M 7

static double v[M][N][N][3], s[N][N][3][3];

static void block(double w[3], const double a[3][3])
{
    double t = 1.0 / a[0][0];
    double f = t * a[1][0];
    w[1] -= f * w[0];
    f = t * a[2][0];
    w[2] -= f * w[0];
    w[2] = w[2] / (4 + a[2][2]);
    w[1] = (w[1] - a[1][2] * w[2]) / (4 + a[1][1]);
    w[0] = (w[0] - a[0][1] * w[1] - a[0][2] * w[2]) / a[0][0];
}

static void forwards(int n, int m)
{
    for (int k = 1; k < m; k++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                for (int p = 0; p < 3; p++)
                    v[k][i][j][p] -= 0.25 * (s[i][j][p][0] * v[k - 1][i][j][0] + s[i][j][p][1] * v[k - 1][i][j][1]);
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++) {
                double w[3], a[3][3];
                for (int p = 0; p < 3; p++)
                    w[p] = v[k][i][j][p] - 0.125 * s[i][j][p][0] * (v[k][i - 1][j][p] + v[k][i][j - 1][0]);
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        a[p][q] = s[i][j][p][q] + (p == q);
                block(w, a);
                for (int p = 0; p < 3; p++)
                    v[k][i][j][p] = w[p];
            }
    }
}

static void backwards(int n, int k)
{
    double w[3];
    for (int i = n - 2; i >= 0; i--)
        for (int j = n - 2; j >= 0; j--) {
            w[0] = v[k][i + 1][j][0] + 0.5 * v[k][i][j + 1][1];
            w[1] = v[k][i + 1][j][1] - 0.5 * v[k][i][j + 1][2];
            w[2] = v[k][i + 1][j + 1][2];
            for (int p = 0; p < 3; p++)
                v[k][i][j][p] = 0.5 * v[k][i][j][p] + 0.0625 * w[p];
            v[k][i][j][0] += 0.01 * v[k][i][j][2];
        }
}

static void triangle(int n, int k)
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j <= i; j += 2) {
            double d = v[k][i][j][0] - v[k][i - 1][j][1];
            for (int p = 0; p < 3; p++)
                v[k][i][j][p] = 0.5 * d + 0.25 * v[k][i][j - 1][p];
            v[k][i][j][1] -= 0.25 * v[k][i - 1][j - 1][2] * d;
            v[k][i][j + 1][2] = 0.5 * v[k][i][j][1];
        }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int p = 0; p < 3; p++) {
                for (int q = 0; q < 3; q++)
                    s[i][j][p][q] = 1.0 / (1 + (i * 5 + j * 3 + p * 7 + q) % 11);
                for (int k = 0; k < M; k++)
                    v[k][i][j][p] = (k * 3 + i * 2 + j + p) % 17 - 8;
            }
    forwards(N, M);
    backwards(N, 2);
    triangle(N - 1, 4);
    for (int k = 0; k < M; k++)
        printf("%.17g %.17g\n", v[k][N - 3][k][1], v[k][k][N - 3][2]);
    return 0;
}
