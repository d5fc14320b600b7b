/* Pointers that walk along arrays: in statements and heads, over rows and whole images, forth and back, several at once;
   and ways to move that are no walk. */
#include <stdio.h>
enum { H = 37, W = 53, N = H * W };
static double a[N], b[N], c[N];
static float image[3 * N], grey[N];
static int odd[N];

static void along(int n, const double *restrict p, double *restrict q) {
    for (int i = 0; i < n; i++) *q++ = 2 * *p++;
}
static void in_head(int n, const double *restrict p, double *restrict q) {
    int i;
    for (i = 0; i < n; i++, p++, q++) *q += *p * i;
}
static void back(int n, const double *restrict p, double *restrict q) {
    p += n;
    for (int i = n - 1; i >= 0; i--) *q++ = *--p;
}
static void rows(int h, int w, int ld, const double *restrict src, double *restrict dst) {
    for (int y = 0; y < h; y++) {
        const double *s = src + y * ld;
        double *d = dst + y * ld;
        for (int x = 0; x < w; x++) *d++ = *s++ * 0.5;
    }
}
static void strides(int h, int w, int ld, const double *restrict src, double *restrict dst) {
    for (int y = 0; y < h; y++, src += ld, dst += ld)
        for (int x = 0; x < w; x++) dst[x] += src[x] * x;
}
static void all(int h, int w, const double *restrict src, double *restrict dst) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) *dst++ = *src++ + y * x;
}
static void colours(int n, const float *restrict rgb, float *restrict out) {
    for (int i = 0; i < n; i++) {
        float r = *rgb++;
        float g = *rgb++;
        float u = *rgb++;
        *out++ = 0.25f * r + 0.5f * g + 0.25f * u;
    }
}
static double dot(int n, const double *p, const double *q) {
    double s = 0;
    for (int i = 0; i < n; ++i) s += *p++ * *q++;
    return s;
}
static void every_third(int n, double *p) {
    for (int i = 0; i < n; i++) {
        p += 2;
        *p = i;
        p++;
    }
}
static void strided(int n, int step, const double *restrict p, double *restrict q) {
    for (int i = 0; i < n; i++) {
        q[i] = *p;
        p += step;
    }
}
/* No walks: a condition moves it; it is read behind; a row that may be shorter; what moves it changes. */
static int compact(int n, const double *restrict p, double *restrict q) {
    double *first = q;
    for (int i = 0; i < n; i++) {
        if (p[i] > 0) *q++ = p[i];
    }
    return (int)(q - first);
}
static double *fill(int n, double *q) {
    for (int i = 0; i < n; i++) *q++ = i;
    return q;
}
static void triangle(int n, double *q) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) *q++ = i - j;
}
static void growing(int n, double *q) {
    int step = 1;
    for (int i = 0; i < n; i++) {
        *q = i;
        q += step;
        step++;
    }
}
static void edges(int h, int w, double *q) {
    for (int y = 0; y < h; y++) {
        *q++ = -1;
        for (int x = 0; x < w; x++) *q++ = x;
        *q++ = 1;
    }
}
static void twice(int n, int m, double *q) {
    for (int i = 0; i < n; i++) *q++ = 4;
    for (int i = 0; i < m; i++) *q++ = 5;
}
static void marks(int n, const int *p, double *q) {
    for (int i = 0; i < n; i++, q++) {
        if (p[i]) continue;
        *q = i;
    }
}

static double sum(int n, const double *p) {
    double s = 0;
    for (int i = 0; i < n; i++) s += p[i] * (i % 9);
    return s;
}

int main(void) {
    for (int i = 0; i < N; i++) {
        a[i] = i % 13 - 6;
        b[i] = i % 7;
        odd[i] = i % 2;
        for (int k = 0; k < 3; k++) image[3 * i + k] = (float)((i + k) % 16);
    }
    along(N, a, b);
    printf("%.2f\n", sum(N, b));
    in_head(N, a, b);
    printf("%.2f\n", sum(N, b));
    back(N, b, c);
    printf("%.2f\n", sum(N, c));
    rows(H, W - 3, W, c, b);
    printf("%.2f\n", sum(N, b));
    strides(H, W - 4, W, a, b);
    printf("%.2f\n", sum(N, b));
    all(H, W, b, c);
    all(H, -1, b, c);
    printf("%.2f\n", sum(N, c));
    colours(N, image, grey);
    for (int i = 0; i < N; i++) c[i] += grey[i];
    printf("%.2f %.2f\n", sum(N, c), dot(N, a, c));
    every_third(N / 3, c);
    strided(N / 4, 4, a, b);
    printf("%.2f %.2f\n", sum(N, c), sum(N, b));
    printf("%d %.2f\n", compact(N, a, b), sum(N, b));
    printf("%d %.2f\n", (int)(fill(N - 5, c) - c), sum(N, c));
    triangle(50, b);
    growing(40, c);
    printf("%.2f %.2f\n", sum(N, b), sum(N, c));
    edges(H - 2, W - 2, b);
    edges(H, -3, c);
    printf("%.2f %.2f\n", sum(N, b), sum(N, c));
    twice(300, 200, b);
    twice(-5, 20, c);
    marks(N, odd, c + 1 - 1);
    printf("%.2f %.2f\n", sum(N, b), sum(N, c));
    return 0;
}
