/* Planes of a block whose rows and columns are parameters: a fixed row or column, near either end, beside its neighbour. */
#include <stdio.h>
#include <stdlib.h>

static void first_row(int x, int y, int z, long *e, long *old) {
    int row = 0;
    for (int i = 0; i < x - 1; i++)
        for (int k = 0; k < z; k++) {
            e[(i * y + row) * z + k] = old[i * z + k] + 3 * (e[(i * y + row + 1) * z + k] - e[(i * y + row) * z + k]);
            old[i * z + k] = e[(i * y + row + 1) * z + k];
        }
    row = y - 1;
    for (int i = 0; i < x - 1; i++)
        for (int k = 0; k < z; k++) {
            e[(i * y + row) * z + k] = old[i * z + k] + 5 * (e[(i * y + row - 1) * z + k] - e[(i * y + row) * z + k]);
            old[i * z + k] = e[(i * y + row - 1) * z + k];
        }
}

static void last_plane(int x, int y, int z, long *e, long *old) {
    int plane = x - 1;
    for (int j = 0; j < y - 1; j++)
        for (int k = 0; k < z; k++) {
            e[(plane * (y - 1) + j) * z + k] = old[j * z + k] + 7 * e[((plane - 1) * (y - 1) + j) * z + k];
            old[j * z + k] = e[((plane - 1) * (y - 1) + j) * z + k];
        }
}

/* The row may be any: where it is none of the block, or the next one is not, the original runs. */
static void row_of(int x, int y, int z, int row, long *e) {
    for (int i = 0; i < x - 1; i++)
        for (int k = 0; k < z; k++)
            e[(i * y + row) * z + k] += e[(i * y + row + 1) * z + k];
}

int main(void) {
    enum { X = 7, Y = 6, Z = 9 };
    long *e = malloc(X * Y * Z * sizeof *e), *old = calloc(X * Y * Z, sizeof *old);
    for (int i = 0; i < X * Y * Z; i++)
        e[i] = i * i % 23;
    first_row(X, Y, Z, e, old);
    last_plane(X, Y, Z, e, old);
    first_row(X, 2, Z, e, old);
    for (int row = -1; row < Y + 2; row++)
        row_of(X - 1, Y, Z, row < 0 ? 0 : row, e);
    unsigned long sum = 0;
    for (int i = 0; i < X * Y * Z; i++)
        sum = sum * 31 + (unsigned long)(e[i] + old[i]);
    printf("%lu\n", sum);
    free(e);
    free(old);
    return 0;
}
