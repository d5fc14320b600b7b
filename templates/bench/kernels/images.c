/* Maps of a pixel's neighbourhood. */
#include "kernels.h"

/* Pixels that are larger than all eight around them. */
static void regional_maximum(int n, int m, float in[n][m], float out[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float v = in[i][j];
            int is_largest = v > in[i - 1][j - 1] && v > in[i - 1][j] && v > in[i - 1][j + 1] && v > in[i][j - 1] &&
                             v > in[i][j + 1] && v > in[i + 1][j - 1] && v > in[i + 1][j] && v > in[i + 1][j + 1];
            out[i][j] = is_largest ? 1.0f : 0.0f;
        }
}

ROW(regional_maximum) {
    long n = size[0], m = size[1];
    float *in = floats(n * m), *out = floats(n * m);
    for (int run = 0; run < runs; run++)
        regional_maximum(n, m, (void *)in, (void *)out);
    free(in), free(out);
}

/* Three colours of each pixel from one: red and green, green and blue in turns; the mean of the nearest of a colour. */
static void demosaic(int n, int m, float in[n][m], float red[n][m], float green[n][m], float blue[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float cross = 0.25f * (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]);
            float corners = 0.25f * (in[i - 1][j - 1] + in[i - 1][j + 1] + in[i + 1][j - 1] + in[i + 1][j + 1]);
            float beside = 0.5f * (in[i][j - 1] + in[i][j + 1]);
            float above = 0.5f * (in[i - 1][j] + in[i + 1][j]);
            if (i % 2 == 0 && j % 2 == 0) {
                red[i][j] = in[i][j];
                green[i][j] = cross;
                blue[i][j] = corners;
            } else if (i % 2 == 0) {
                red[i][j] = beside;
                green[i][j] = in[i][j];
                blue[i][j] = above;
            } else if (j % 2 == 0) {
                red[i][j] = above;
                green[i][j] = in[i][j];
                blue[i][j] = beside;
            } else {
                red[i][j] = corners;
                green[i][j] = cross;
                blue[i][j] = in[i][j];
            }
        }
}

ROW(demosaic) {
    long n = size[0], m = size[1];
    float *in = floats(n * m), *red = floats(n * m), *green = floats(n * m), *blue = floats(n * m);
    for (int run = 0; run < runs; run++)
        demosaic(n, m, (void *)in, (void *)red, (void *)green, (void *)blue);
    free(in), free(red), free(green), free(blue);
}

/* A generation of Conway's cells. */
static void life(int n, int m, unsigned char now[n][m], unsigned char next[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int around = now[i - 1][j - 1] + now[i - 1][j] + now[i - 1][j + 1] + now[i][j - 1] + now[i][j + 1] +
                         now[i + 1][j - 1] + now[i + 1][j] + now[i + 1][j + 1];
            next[i][j] = around == 3 || (around == 2 && now[i][j]);
        }
}

ROW(life) {
    long n = size[0], m = size[1];
    unsigned char *now = bytes(n * m, 2), *next = bytes(n * m, 2);
    for (int run = 0; run < runs; run++)
        life(n, m, (void *)now, (void *)next);
    free(now), free(next);
}
