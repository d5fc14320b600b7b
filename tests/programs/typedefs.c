/* Types and sizes under other names: typedef of scalars and arrays, enum constants as extents. */
#include <stddef.h>
#include <stdio.h>

#ifndef N
#define N 53
#endif

enum { ROWS = N, COLS = N + 8, HALO = 1, PADDED = COLS + 2 * HALO };

typedef float real;
typedef real Field[ROWS][PADDED];
typedef real Row[PADDED];
typedef size_t index_t;

static Field depth, speed;

static void init(void) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < PADDED; j++)
            depth[i][j] = (real)((i * 29 + j * 31) % 64) / 64;
}

static void smooth(Row *restrict in, Row *restrict out) {
    for (index_t i = 0; i < ROWS; i++)
        for (index_t j = HALO; j < COLS + HALO; j++)
            out[i][j] = (real)0.25 * in[i][j - 1] + (real)0.5 * in[i][j] + (real)0.25 * in[i][j + 1];
}

static void wrap_halo(Field f) {
    for (int i = 0; i < ROWS; i++) {
        f[i][0] = f[i][COLS];
        f[i][PADDED - 1] = f[i][HALO];
    }
}

int main(void) {
    double check = 0.0;
    init();
    wrap_halo(depth);
    smooth(depth, speed);
    wrap_halo(speed);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < PADDED; j++)
            check += speed[i][j] * (1 + (i + j) % 7);
    printf("typedefs %.6e\n", check);
    return 0;
}
