/* What else is shaped like a product of matrices: scaled, of triangles, of batches, of other sums and types, of one dimension.
   The sizes are no multiples of anything, and larger than a tile. */
#include <stdio.h>

#ifndef N
#define N 75
#endif
#ifndef M
#define M 131
#endif
#ifndef P
#define P 53
#endif

static double a[N][P], b[P][M], c[N][M], s[N][N], u[N][M], l[N][N];
static float batch[3][4][N][P], weights[3][P][N], out[3][4][N][N];
static unsigned char pixels[N][P];
static int taps[P][M], sums[N][M], far[N][M];
static double x[N], mass[N], pull[N];

static void init(void) {
    for (int i = 0; i < N; i++) {
        x[i] = (i * 7 % 19) * 0.5;
        mass[i] = 1 + i % 3;
        for (int k = 0; k < P; k++) {
            a[i][k] = (i * 5 + k * 3) % 13 - 6;
            pixels[i][k] = (i * 11 + k * 7) % 251;
            for (int g = 0; g < 12; g++)
                batch[g / 4][g % 4][i][k] = (g + i + 2 * k) % 9 - 4;
        }
        for (int j = 0; j < N; j++) {
            s[i][j] = (i + j) % 5;
            l[i][j] = i == j ? 4 : ((i * 3 + j) % 7) * 0.125;
        }
        for (int j = 0; j < M; j++) {
            c[i][j] = (i * j) % 4;
            u[i][j] = (i + 2 * j) % 6;
            far[i][j] = -1000;
        }
    }
    for (int k = 0; k < P; k++) {
        for (int j = 0; j < M; j++) {
            b[k][j] = (k * 2 + j * 5) % 11 - 5;
            taps[k][j] = (k - j) % 8;
        }
        for (int g = 0; g < 3; g++)
            for (int j = 0; j < N; j++)
                weights[g][k][j] = (g * 3 + k + j) % 7 - 3;
    }
}

/* The result is scaled before, and used after. */
static void scaled(int n, int m, int p, double alpha, double beta) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] *= beta;
            for (int k = 0; k < p; k++)
                c[i][j] += alpha * a[i][k] * b[k][j];
            u[i][j] -= c[i][j];
        }
}

/* A triangle of points; each is a sum over all of k. */
static void triangle(int n, int p) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < p; k++)
                s[i][j] += a[i][k] * a[j][k];
            s[i][j] /= p;
            if (j < i)
                s[j][i] = s[i][j];
        }
}

/* A rectangle of points; each is a sum over a part of k that differs. */
static void parts(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double t = 0;
            for (int k = i + 1; k < n; k++)
                t += l[i][k] * u[k][j];
            c[i][j] = c[i][j] / l[i][i] - t;
        }
}

static void batched(void) {
    for (int g = 0; g < 3; g++)
        for (int h = 0; h < 4; h++)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) {
                    float t = 0;
                    for (int k = 0; k < P; k++)
                        t += batch[g][h][i][k] * weights[g][k][j];
                    out[g][h][i][j] = t;
                }
}

/* Integers of two widths; the greatest of sums in the place of the sum of products. */
static void integers(int n, int m, int p) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int t = 1;
            for (int k = 0; k < p; k++) {
                t += pixels[i][k] * taps[k][j];
                far[i][j] = far[i][j] >= pixels[i][k] + taps[k][j] ? far[i][j] : pixels[i][k] + taps[k][j];
            }
            sums[i][j] = t >> 3;
        }
}

/* All others act on each. */
static void bodies(int n, double soft) {
    for (int i = 0; i < n; i++) {
        double force = 0;
        for (int j = 0; j < n; j++) {
            double d = x[j] - x[i];
            force += mass[j] * d / (d * d + soft);
        }
        pull[i] = force * mass[i];
    }
}

/* Columns in turn, each from those before it: what is read is not what is written. */
static void columns(int n) {
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            for (int k = 0; k < j; k++)
                l[i][j] -= 0.001 * l[i][k] * l[j][k];
}

int main(void) {
    double check[7] = {0};
    init();
    scaled(N, M, P, 1.5, 0.5);
    triangle(N, P);
    batched();
    integers(N, M, P);
    bodies(N, 0.25);
    columns(N);
    parts(N, M);
    for (int i = 0; i < N; i++) {
        check[4] += pull[i] * i;
        for (int j = 0; j < N; j++) {
            check[1] += s[i][j] * (i + 2 * j);
            check[5] += l[i][j];
            for (int g = 0; g < 12; g++)
                check[2] += out[g / 4][g % 4][i][j] * (g + i - j);
        }
        for (int j = 0; j < M; j++) {
            check[0] += u[i][j] * (i + j);
            check[3] += sums[i][j] + far[i][j] * (j - i);
            check[6] += c[i][j];
        }
    }
    printf("products");
    for (int i = 0; i < 7; i++)
        printf(" %.10e", check[i]);
    printf("\n");
    return 0;
}
