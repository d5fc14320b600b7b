/* Loops over one index of several coordinates, with rows that are whole and rows that are not. */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 64 * 48 };

static float in[SIZE], out[SIZE];

static void transposed(int w, int h, const float *restrict a, float *restrict b)
{
    for (int i = 0; i < w * h; i++) {
        int x = i % w, y = i / w;
        b[x * h + y] = a[i];
    }
}

static void planes(int w, int h, int d, const float *restrict a, float *restrict b)
{
    for (int i = 0; i < d * h * w; i++) {
        int z = i / (w * h), rest = i % (w * h);
        int y = rest / w, x = rest - y * w;
        b[(x * h + y) * d + z] = a[i] + z;
    }
}

/* Of 48 by 61 numbers, rows of 48 are whole and rows of 47 are not. */
static void scaled(int n, int w, const float a[restrict SIZE], float b[restrict SIZE])
{
    for (int i = 0; i < n; i++) // original: for these sizes
        b[i / w * w + i % w] = 2 * a[i] + a[i % w];
}

static void channels(int n, int c, int size, const float a[restrict SIZE], float b[restrict SIZE])
{
    for (int i = 0; i < n; i++) // original: for these sizes
        b[i % size * c + i / size % c + i / (size * c) * (size * c)] = a[i];
}

static void inner(int n, int w, int h, const float a[restrict SIZE], float b[restrict SIZE])
{
    for (int i = 0; i < n; i++) {
        int y = i / w, x = i % w;
        if (y >= h || x == 0)
            continue;
        b[y * w + x] = a[y * w + x - 1] + a[y * w];
    }
}

static void powers(unsigned n, const float *restrict a, float *restrict b)
{
    for (unsigned i = 0; i < 64u * n; i++)
        b[(i & 63) * n + (i >> 6)] = a[i];
}

static double sum(void)
{
    double s = 0;
    for (int i = 0; i < SIZE; i++)
        s += out[i] * (1 + i % 7);
    return s;
}

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        in[i] = (float)(i % 101) / 4;
    transposed(61, 48, in, out);
    printf("transposed %.10e\n", sum());
    planes(13, 11, 17, in, out);
    printf("planes %.10e\n", sum());
    scaled(48 * 61, 48, in, out);
    scaled(48 * 61, 47, in, out);
    printf("scaled %.10e\n", sum());
    channels(12 * 5 * 50, 5, 12, in, out);
    channels(12 * 5 * 50 - 12, 5, 12, in, out);
    printf("channels %.10e\n", sum());
    inner(2900, 58, 50, in, out);
    printf("inner %.10e\n", sum());
    powers(45, in, out);
    printf("powers %.10e\n", sum());
    return 0;
}
