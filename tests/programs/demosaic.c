/* Colours of a Bayer mosaic by bilinear interpolation: rows R G R G ... and G B G B ... alternate.
 *
 * Each site measures one colour; the other two are means of the neighbours that measure them. */
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 62
#endif
#ifndef COLS
#define COLS 78
#endif

enum { RED, GREEN, BLUE, COLOURS };

static unsigned short noise(void) {
    static unsigned seed = 14;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) & 0x3ff;
}

static void demosaic(int rows, int cols, unsigned short raw[rows][cols], unsigned short rgb[COLOURS][rows][cols]) {
    for (int y = 1; y < rows - 1; y++)
        for (int x = 1; x < cols - 1; x++) {
            int here = raw[y][x];
            int across = (raw[y][x - 1] + raw[y][x + 1]) / 2;
            int along = (raw[y - 1][x] + raw[y + 1][x]) / 2;
            int cross = (raw[y][x - 1] + raw[y][x + 1] + raw[y - 1][x] + raw[y + 1][x]) / 4;
            int corner = (raw[y - 1][x - 1] + raw[y - 1][x + 1] + raw[y + 1][x - 1] + raw[y + 1][x + 1]) / 4;
            if (y % 2 == 0 && x % 2 == 0) {
                rgb[RED][y][x] = here;
                rgb[GREEN][y][x] = cross;
                rgb[BLUE][y][x] = corner;
            } else if (y % 2 == 0) {
                rgb[RED][y][x] = across;
                rgb[GREEN][y][x] = here;
                rgb[BLUE][y][x] = along;
            } else if (x % 2 == 0) {
                rgb[RED][y][x] = along;
                rgb[GREEN][y][x] = here;
                rgb[BLUE][y][x] = across;
            } else {
                rgb[RED][y][x] = corner;
                rgb[GREEN][y][x] = cross;
                rgb[BLUE][y][x] = here;
            }
        }
}

int main(void) {
    unsigned short(*raw)[COLS] = malloc(sizeof(unsigned short[ROWS][COLS]));
    unsigned short(*rgb)[ROWS][COLS] = calloc(COLOURS, sizeof(unsigned short[ROWS][COLS]));
    unsigned long check = 0;
    if (!raw || !rgb)
        return 1;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLS; x++)
            raw[y][x] = noise();
    demosaic(ROWS, COLS, raw, rgb);
    for (int c = 0; c < COLOURS; c++)
        for (int y = 0; y < ROWS; y++)
            for (int x = 0; x < COLS; x++)
                check += (unsigned long)rgb[c][y][x] * (1 + (c + 3 * y + x) % 7);
    printf("demosaic %lu\n", check);
    free(raw);
    free(rgb);
    return 0;
}
