#define ROWS 70
#define COLS 90

void transposed(const float *restrict a, float *restrict b) {
    for (int y = 0; y < ROWS - 1; y++)
        for (int x = 1; x < COLS; x++)
            b[y + x * ROWS] = a[x + y * COLS] - a[x - 1 + (y + 1) * COLS];
}
