/* Values that branches choose: stored as one, by neighbours together where rows are whole vectors, and point by point where they
   are not. What the branches write may decide which of them runs, values may be of several types, and rows begin anywhere. */
#include <stdio.h>
enum { N = 133, W = 272, M = 259 };
static unsigned char wide[N][W], narrow[N][M], out_wide[N][W], out_narrow[N][M];
static float image[N][W], odd[N][M], red[N][W], green[N][W], blue[N][W], out[N][M];
static short shorts[N][W], out_shorts[N][W];
static unsigned words[N][W];
static double doubles[N][W];

static void threshold(int n, int m, unsigned char a[n][m], unsigned char b[n][m], int at) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] > at)
                b[i][j] = 255;
            else
                b[i][j] = 0;
}

static void brighter(int n, int m, unsigned char a[n][m], unsigned char b[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int v = 3 * a[i][j] - 100;
            if (v > 255) v = 255;
            if (v < 0) v = 0;
            b[i][j] = v;
        }
}

static void inverted(int n, int m, unsigned char a[n][m], unsigned char b[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 3; j < m - 2; j++) b[i][j] = 255 - a[i][j];
}

static void affine(int n, int m, short a[n][m], short b[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 9; j < m; j++) b[i][j] = 3 * a[i][j] + 7;
}

static void mosaic(int n, int m, float in[n][m], float r[n][m], float g[n][m], float b[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float cross = 0.25f * (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]);
            float beside = 0.5f * (in[i][j - 1] + in[i][j + 1]);
            if (i % 2 == 0 && j % 2 == 0) {
                r[i][j] = in[i][j];
                g[i][j] = cross;
                b[i][j] = 2;
            } else if (i % 2 == 0) {
                r[i][j] = beside;
                g[i][j] = in[i][j];
                b[i][j] = cross;
            } else {
                r[i][j] = cross;
                g[i][j] = beside;
                b[i][j] = in[i][j];
            }
        }
}

/* The first store of a branch decides about the second condition, the branches store in other orders, or to other places. */
static void decided(int n, int m, float a[n][m], float b[n][m], float c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (b[i][j] > 0.5f) {
                b[i][j] = a[i][j];
                c[i][j] = 1;
            } else {
                b[i][j] = -a[i][j];
                c[i][j] = 2;
            }
            if (a[i][j] > 1) {
                b[i][j] += 3;
                c[i][j] = b[i][j];
            } else {
                c[i][j] = b[i][j];
                b[i][j] += 4;
            }
            if (c[i][j] > 1)
                c[i][j] = b[i][j] / 2;
            else
                c[i][j] = c[i][j] * 3;
        }
}

/* A choice between values of two types would be of a third. */
static void types(int n, int m, unsigned a[n][m], short s[n][m], double d[n][m], unsigned char b[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (a[i][j] % 3 == 0)
                d[i][j] = a[i][j];
            else
                d[i][j] = s[i][j] - 300;
            if (a[i][j] % 5 == 0)
                d[i][j] += s[i][j] * 0.1f;
            else
                d[i][j] += 16777217 + s[i][j];
            if (a[i][j] % 7 == 0)
                b[i][j] = s[i][j] + 700;
            else
                b[i][j] = 300;
        }
}

/* A variable without a value keeps none. */
static void values(int n, int m, float a[n][m], float b[n][m]) {
    for (int i = 2; i < n; i++)
        for (int j = 11; j < m; j++) {
            float low, high = a[i][j];
            int k = j;
            if (a[i][j] > 0.5f) {
                low = a[i - 1][j];
                high = 2;
                k = i;
            }
            if (a[i][j] > 0.5f) high = high * low;
            b[i][j] = high + k;
        }
}

/* Of two comparisons with what is no number neither holds. */
static void unordered(int n, int m, float a[n][m], float b[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float x = (j % 5 - 2) / (float)(i % 3);
            b[i][j] = a[i][j];
            if (x > 1) b[i][j] = 2;
            if (x <= 1) b[i][j] = 3;
        }
}

static void sweeps(int steps, int n, int m, float a[n][m], float b[n][m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 0; i < n; i++)
            for (int j = 7; j < m; j++) a[i][j] = b[i][j] + 0.5f * b[i][j - 1];
    }
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < W; j++) {
            unsigned x = (i * 747796405u + j * 2891336453u) ^ (i * 17u + j) >> 3;
            wide[i][j] = x >> 24;
            image[i][j] = (x >> 20) / 2048.0f;
            shorts[i][j] = x >> 16;
            words[i][j] = x;
            doubles[i][j] = x >> 8;
            if (j < M) {
                narrow[i][j] = x >> 24;
                odd[i][j] = (x >> 19) / 4096.0f;
            }
        }
    for (int k = 0; k < 2; k++) {
        int n = k ? N : 37, w = k ? W : 48, m = k ? M : 33;
        threshold(n, w, (void *)wide, (void *)out_wide, 100);
        threshold(n, m, (void *)narrow, (void *)out_narrow, 100);
        brighter(n, w, (void *)out_wide, (void *)wide);
        brighter(n, m, (void *)narrow, (void *)out_narrow);
        inverted(n, w, (void *)wide, (void *)out_wide);
        inverted(n, m, (void *)out_narrow, (void *)narrow);
        affine(n, w, (void *)shorts, (void *)out_shorts);
        mosaic(n, w, (void *)image, (void *)red, (void *)green, (void *)blue);
        mosaic(n, m, (void *)odd, (void *)red, (void *)green, (void *)out);
        decided(n, w, (void *)image, (void *)red, (void *)green);
        types(n, w, (void *)words, (void *)shorts, (void *)doubles, (void *)out_wide);
        values(n, w, (void *)image, (void *)blue);
        values(n, m, (void *)odd, (void *)out);
        unordered(n, w, (void *)image, (void *)green);
        sweeps(5, n, w, (void *)image, (void *)red);
        sweeps(4, n, m, (void *)odd, (void *)out);
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum += out_wide[i][j] + narrow[i][j] + out_shorts[i][j] + (long)red[i][j] + (long)green[i][j] + (long)blue[i][j] +
                   (long)out[i][j] + (long)doubles[i][j];
    printf("%ld\n", sum);
    return 0;
}
