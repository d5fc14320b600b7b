/* Transposes of rows whose length is a constant within the subscript, and of planes that a loop of the host steps through. */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 70
#define COLS 90
enum { LEVELS = 5 };

static float in[ROWS * COLS], out[COLS * ROWS];
static float levels[LEVELS + 1][ROWS][ROWS], now[ROWS][ROWS], next[ROWS][ROWS];

static void linear(const float *restrict a, float *restrict b) {
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLS; x++)
            b[y + x * ROWS] = a[x + y * COLS];
}

static void linear_by_size(int rows, const float *restrict a, float *restrict b) {
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < COLS; x++)
            b[x * rows + y] = 2 * a[y * COLS + x];
}

/* Neighbours: in the row, in the next row, and a point back in the next row, which is one less than a row on. */
static void neighbours(const float *restrict a, float *restrict b) {
    for (int y = 0; y < ROWS - 1; y++)
        for (int x = 1; x < COLS - 1; x++)
            b[x * ROWS + y] = a[y * COLS + x] + 2 * a[y * COLS + x + 1] + 4 * a[(y + 1) * COLS + x] +
                              8 * a[(y + 1) * COLS + x - 1];
}

static void upside_down(const float *restrict a, float *restrict b) {
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLS; x++)
            b[x * ROWS + y] = a[(ROWS - 1 - y) * COLS + x];
}

static void every_second_row(float a[restrict ROWS][COLS], float b[restrict COLS][ROWS]) {
    for (int y = 0; y < ROWS / 2; y++)
        for (int x = 0; x < COLS; x++)
            b[x][y] += a[2 * y][x] + a[2 * y + 1][x];
}

/* Two levels of one step are no neighbours of each other's points. */
static void steps(int n) {
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++)
                next[j][i] = 0.5f * now[j][i] + levels[t][i][j] + 2 * levels[t + 1][i][j];
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++)
                now[j][i] = next[ROWS - 1 - j][i] + 0.25f * next[j][ROWS - 1 - i];
    }
}

static double sum(const float *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * (1 + i % 7);
    return s;
}

int main(void) {
    for (int i = 0; i < ROWS * COLS; i++)
        in[i] = (float)(i % 101);
    for (int i = 0; i < (LEVELS + 1) * ROWS * ROWS; i++)
        (&levels[0][0][0])[i] = (float)(i % 89) / 8;
    linear(in, out);
    printf("linear %.10e\n", sum(out, ROWS * COLS));
    linear_by_size(ROWS - 3, in, out);
    printf("linear_by_size %.10e\n", sum(out, ROWS * COLS));
    neighbours(in, out);
    printf("neighbours %.10e\n", sum(out, ROWS * COLS));
    upside_down(in, out);
    printf("upside_down %.10e\n", sum(out, ROWS * COLS));
    every_second_row((float(*)[COLS])in, (float(*)[ROWS])out);
    printf("every_second_row %.10e\n", sum(out, ROWS * COLS));
    steps(LEVELS);
    printf("steps %.10e\n", sum(&now[0][0], ROWS * ROWS));
    return 0;
}
