/* Casts to types of one and two letters, which the parser may take for numbers and functions. */
#include <stdio.h>

typedef unsigned char u8;
typedef double T;
typedef struct { u8 r, g, b; } rgb;

enum { LENGTH = 500 };

static void rounded(int n, u8 *x, const float *y) {
    for (int i = 0; i < n; i++)
        x[i] = (u8)(y[i] + 0.5f);
}

static void negated(int n, u8 *x, T *t, const int *y) {
    for (int i = 0; i < n; i++) {
        x[i] = (u8)-y[i] + (u8)~y[i];
        t[i] = (T)-y[i] - (T)(y[i]) / 3 - 1;
    }
}

static void through_a_pointer(int n, u8 *x, const int *y) {
    for (int i = 0; i < n; i++)
        x[i] = (u8)*(y + i) - 3 * (u8)(7 + i % 2);
}

static void scaled(int n, u8 *x, T *t, const int *y) {
    for (int i = 0; i < n; i++)
        t[i] = (T)-y[i] / 7;
    for (int i = 0; i < n; i++)
        x[i] = (u8)-y[i] / 7;
    for (int i = 0; i < n; i++)
        x[i] = 3 + (u8)-y[i];
}

static void gray(int n, u8 *x, const rgb *image) {
    for (int i = 0; i < n; i++)
        x[i] = (u8)(0.299f * image[i].r + 0.587f * image[i].g + 0.114f * image[i].b + 0.5f);
}

static long sum(int n, const u8 *x) {
    long s = 0;
    for (int i = 0; i < n; i++)
        s += (i % 7 + 1) * (long)x[i];
    return s;
}

int main(void) {
    static u8 x[LENGTH];
    static float y[LENGTH];
    static int k[LENGTH];
    static T t[LENGTH];
    static rgb image[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
        y[i] = (float)(i * 7 % 250) + 0.25f * (float)(i % 4);
        k[i] = i * 37 - 4000;
        image[i].r = (u8)(i * 3);
        image[i].g = (u8)(i * 5);
        image[i].b = (u8)(i * 7);
    }
    rounded(LENGTH, x, y);
    printf("%ld\n", sum(LENGTH, x));
    negated(LENGTH, x, t, k);
    printf("%ld %.6f %.6f\n", sum(LENGTH, x), t[3], t[LENGTH - 1]);
    scaled(LENGTH, x, t, k);
    printf("%ld %.6f\n", sum(LENGTH, x), t[LENGTH - 1]);
    through_a_pointer(LENGTH, x, k);
    printf("%ld\n", sum(LENGTH, x));
    gray(LENGTH, x, image);
    printf("%ld\n", sum(LENGTH, x));
    return 0;
}
