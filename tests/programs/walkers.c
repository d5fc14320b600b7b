/* Subscripts that the program counts by itself, by one or by strides that a box has, through nests and back again; pointers that
 * are read behind the loops that move them. The last functions move them by what only the data know. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 60
#endif
#ifndef M
#define M 70
#endif

/* Part of a matrix one element behind the other, its rows each with a mark, and where that ends. */
static int pack(int n, int m, int ld, double *restrict out, const double *restrict in)
{
    int k = 0;
    for (int i = 0; i < n; i++) // original: a size of `out` is negative
        for (int j = 0; j < m; j++)
            out[k++] = in[i * ld + j];
    for (int i = 0; i < n; i++) { // original: a subscript leaves its row
        out[k] = -1;
        for (int j = 0; j < m; j++)
            out[k + 1 + j] = in[i * ld + j] + k;
        k += m + 1;
    }
    return k;
}

/* Boxes in two arrays, whose strides are numbers of the call. */
static void box(const int *size, int s1, int sx1, int sy1, int sz1, int s2, int sx2, int sy2, int sz2, double *restrict r,
                const double *restrict b)
{
    int i, j, k, bi = s1, ri = s2, nx = size[0], ny = size[1], nz = size[2];
    for (k = 0; k < nz; k++) { // original: a subscript leaves its row
        for (j = 0; j < ny; j++) {
            for (i = 0; i < nx; i++) {
                r[ri] -= b[bi];
                bi += sx1;
                ri += sx2;
            }
            bi += sy1 - nx * sx1;
            ri += sy2 - nx * sx2;
        }
        bi += sz1 - ny * sy1;
        ri += sz2 - ny * sy2;
    }
}

/* From the end to the beginning, of 64 bits. */
static long back(int n, int m, long first, double *restrict out, const double *restrict in)
{
    long k = first;
    for (int i = n - 1; i >= 0; i--) // decline: no loop here is parallel: iterations depend on each other through `(out + (long)first)`
        for (int j = 0; j <= m; j++)
            out[--k] = in[i] * j;
    return k;
}

/* Set by each iteration, and read as a number; another goes on through all of them. */
static int twice(int n, int m, int *restrict x)
{
    int k = 5, q = 0;
    for (int i = 0; i < n; i++) {
        k = 15 * i;
        for (int j = 0; j < m; j++) {
            x[k] += 2 * k + q;
            k = k + 1;
        }
        q += 3;
        k -= 4;
    }
    return q;
}

/* A layer of a network, whose weights and results go on where the next one begins. */
static double *layer(int n, int m, double *restrict o, const double **weights, const double *restrict in)
{
    const double *w = *weights;
    for (int j = 0; j < n; j++) { // original: a subscript leaves its row
        double sum = *w++ * -1.0;
        for (int k = 0; k < m; k++)
            sum += *w++ * in[k];
        *o++ = sum;
    }
    *weights = w;
    for (int j = 0; j < n; j++, o++) // original: elements before the start of `o` are used
        *o = o[-1] + w[-1];
    return o;
}

/* A pointer that is set behind one loop by where another one has come. */
static long joined(int n, int *restrict x, const int *restrict from)
{
    int *p = x, *q;
    for (int i = 0; i < n; i++)
        *p++ = 2 * from[i];
    q = p + 3;
    for (int i = 0; i < n; i++) {
        q[0] = from[i];
        q += 2;
    }
    return 1000 * (p - x) + (q - x);
}

/* What the data choose. */
static int some(int n, double *restrict out, const double *restrict in)
{
    int k = 0, h = 7;
    for (int i = 0; i < n; i++) { // decline: most of this would run in order, by one thread
        if (in[i] > 3)
            out[k++] = in[i];
        h = h * 3 + 1;
        h += 2;
        h &= 255;
        out[i + n] = h;
    }
    return k;
}

static double sum(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (1 + i % 5) * x[i];
    return s;
}

int main(void)
{
    int room = 4 * N * M + 8 * N + 16, k, c, t;
    long r;
    double *a = calloc(room, sizeof *a), *b = calloc(room, sizeof *b), s = 0, *end;
    int *x = calloc(room, sizeof *x), *y = calloc(room, sizeof *y);
    const double *w = a;
    for (int i = 0; i < room; i++) {
        a[i] = i % 19;
        y[i] = i % 23;
    }
    box((int[]){20, 18, 9}, 3, 1, 20, 400, 7, 1, 25, 500, b, a);
    box((int[]){20, 18, 9}, 3, 2, 40, 800, 7, 1, 25, 500, b, a);
    box((int[]){20, 18, 9}, 3, 0, 40, 800, 7, 1, 25, 500, b, a);
    box((int[]){0, 18, 9}, 3, 2, 40, 800, 7, 1, 25, 500, b, a);
    box((int[]){-2, 18, 9}, 3, 2, 40, 800, 7, 1, 25, 500, b, a);
    printf("%.10g\n", sum(b, room));
    k = pack(N, M, M + 3, b, a) + pack(-N, M, M + 3, b, a) + pack(N, 0, M + 3, b, a) + pack(N, -1, M + 3, b, a);
    r = back(N, M - 1, 2l * N * M, b, a) + back(N, -1, 2l * N * M, b, a) + back(-N, 4, 2l * N * M, b, a);
    printf("%d %ld %.10g\n", k, r, sum(b, room));
    t = twice(N, 9, x) + twice(N, 0, x) + twice(0, 3, x) + twice(N, -2, x) + twice(N, 18, x);
    for (int i = 0; i < room; i++)
        s += x[i] * (i % 7);
    end = layer(N, M, b, &w, a);
    end = layer(-3, M, end, &w, a);
    end = layer(N / 2, -1, end, &w, a);
    printf("%d %.10g %ld %ld %.10g\n", t, s, (long)(end - b), (long)(w - a), sum(b, room));
    r = joined(N, x, y) + joined(0, x, y);
    c = some(N * M, b, a);
    printf("%ld %d %d %.10g\n", r, x[3], c, sum(b, room));
    free(a), free(b), free(x), free(y);
    return 0;
}
