/* Conditions on unsigned counters: beside constants that are natural they are what they seem. */
#include <stddef.h>

void edges(size_t n, const double *a, double *b) {
    for (size_t i = 0; i < n; i++)
        if (i == 0)
            b[i] = 0;
        else if (i > 3)
            b[i] = a[i - 1];
}

void turns(unsigned steps, int n, double *a, double *b) {
    for (unsigned t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            b[i] = a[i - 1];
        double *c = a;
        a = b;
        b = c;
    }
}

/* -1 is the largest number there, and 0 - 1 too. */
void wrapped(unsigned n, const double *a, double *b) {
    for (unsigned i = 0; i < n; i++)
        if (i > -1)
            b[i] = a[i];
        else if (i - 1 > 5)
            b[i] = a[i] + 1;
}

/* Signed counters that are natural are the same beside unsigned sizes, and of these the last values below them. */
void corners(size_t h, size_t w, const double *a, double *b) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (x == w - 1 && y == h - 1)
                b[y * w + x] = 0;
            else if (y != h - 1)
                b[y * w + x] = a[(y + 1) * w + x];
}

/* The counter is converted, and negative. */
void converted(size_t n, int m, const double *a, double *b) {
    for (int i = -m; i < m; i++)
        if (i < n)
            b[i + m] = a[i + m];
        else if (i == n - 1)
            b[i + m] = 0;
}
