/* Where something is, computed into a variable before it is used: of a declaration of its own or of the function's, chosen
   by a condition, put anew in between, or read again behind the loop. */
#include <stdio.h>
#include <stdlib.h>
enum { X = 7, Y = 5, Z = 4 };

static void boxes(int nx, int ny, int nz, const double *in, double *out) {
    int c, w, e, n, s, x, y, z;
    for (z = 0; z < nz; z++)
        for (y = 0; y < ny; y++)
            for (x = 0; x < nx; x++) {
                c = x + y * nx + z * nx * ny;
                w = (x == 0) ? c : c - 1;
                e = (x == nx - 1) ? c : c + 1;
                n = (y == 0) ? c : c - nx;
                s = (y == ny - 1) ? c : c + nx;
                int b = (z == 0) ? c : c - nx * ny, t = (z == nz - 1) ? c : c + nx * ny;
                out[c] = in[c] + 2 * in[w] + 3 * in[e] + 5 * in[n] + 7 * in[s] + 11 * in[b] + 13 * in[t];
            }
}

/* Both subscripts are chosen, one of them by the data. */
static void corners(int n, int m, const int *flags, double (*restrict a)[m], double (*restrict b)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i][j] = a[i > 0 ? i - 1 : 0][flags[j] ? j : (j < m - 1 ? j + 1 : 0)] + a[i][j];
}

/* The place is put anew between two uses. */
static void again(int n, int m, double *a, const double *b) {
    int p;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            p = i * m + j;
            a[p] *= 2;
            p = i * m + (j < m - 1 ? j + 1 : j);
            a[i * m + j] += b[p];
        }
}

/* The last place is wanted behind the loop. */
static int behind(int n, double *a, const double *b) {
    int p = -1;
    for (int i = 0; i < n; i++) {
        p = i * 3 + 1;
        a[i] += b[p];
    }
    return p;
}

/* Unsigned numbers wrap: the place before the first one is the last one. */
static void around(unsigned n, int *a, const int *b) {
    for (unsigned i = 0; i < n; i++) {
        const unsigned before = i - 1u;
        a[i] += b[before < n ? before : n - 1];
    }
}

int main(void) {
    static double in[X * Y * Z], out[X * Y * Z], b[Y][X];
    static int flags[X], ints[X], more[X];
    for (int i = 0; i < X * Y * Z; i++) in[i] = i * i % 17;
    for (int i = 0; i < X; i++) { flags[i] = i % 3 == 1; ints[i] = i; more[i] = 3 * i; }
    boxes(X, Y, Z, in, out);
    boxes(1, 1, 1, in, out);
    corners(Y, X, flags, (double (*)[X])in, b);
    again(Y, X, out, in);
    int p = behind(Y, out, in);
    around(X, ints, more);
    double sum = p;
    for (int i = 0; i < X * Y * Z; i++) sum += out[i] * (i % 5);
    for (int i = 0; i < Y; i++)
        for (int j = 0; j < X; j++) sum += b[i][j] * (i + j % 7);
    for (int i = 0; i < X; i++) sum += ints[i] * (i % 4);
    printf("%g\n", sum);
}
