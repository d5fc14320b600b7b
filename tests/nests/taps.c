/* Sums over neighbours in loops of the point, which run around the points of a thread; and neighbours without loops, read
   under conditions, or apart along memory alone. */
#include <stdio.h>
enum { N = 150, M = 170, L = 14 };
static float in[N + 40][M + 40], out[N][M], weight[40][40], planes[4][N][M], moved[4][N][M];
static double cube[L][L + 3][70], next[L][L + 3][70], coefficients[3][3][3];
static unsigned char cells[N][M], generation[N][M];

/* Taps that are known, and that only the call knows; none at all, too. */
static void seven(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < 7; p++)
                for (int q = 0; q < 7; q++) sum += in[i + p][j + q] * weight[p][q];
            out[i][j] = sum;
        }
}
static void any(int n, int m, int taps) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = i, most = -1;
            for (int p = 0; p < taps; p++) {
                float row = 0;
                for (int q = 0; q < taps; q++) row += in[i + p][j + q] * weight[p][q];
                sum += row * row;
                most = row > most ? row : most;
            }
            out[i][j] = sum - most;
        }
}

/* Every axis has neighbours, and the sum goes to memory each time. */
static void twenty_seven(int n, int m, int l) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < l - 1; k++) {
                next[i][j][k] = 0;
                for (int p = -1; p < 2; p++)
                    for (int q = -1; q < 2; q++)
                        for (int r = -1; r < 2; r++)
                            next[i][j][k] += coefficients[p + 1][q + 1][r + 1] * cube[i + p][j + q][k + r];
            }
}

/* Loops that differ from point to point stay with it. */
static void triangle(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < 4; p++)
                for (int q = 0; q <= j % 3; q++) sum += in[i + p][j + q];
            out[i][j] = sum;
        }
}

/* Values that turns of rows and columns decide about. */
static void mosaic(int n, int m) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float cross = in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1];
            float corners = in[i - 1][j - 1] + in[i - 1][j + 1] + in[i + 1][j - 1] + in[i + 1][j + 1];
            if (i % 2 == 0 && j % 2 == 0)
                out[i][j] = cross;
            else if (i % 2 == 0)
                out[i][j] = in[i][j] - corners;
            else
                out[i][j] = corners;
        }
}
static void stream(int n, int m) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float c = planes[0][i][j], e = planes[1][i][j - 1], s = planes[2][i - 1][j], w = planes[3][i + 1][j + 1];
            float all = c + e + s + w;
            moved[0][i][j] = c + all;
            moved[1][i][j] = e - all;
            moved[2][i][j] = s * all;
            moved[3][i][j] = w;
        }
}
static void life(int n, int m) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int around = cells[i - 1][j - 1] + cells[i - 1][j] + cells[i - 1][j + 1] + cells[i][j - 1] + cells[i][j + 1] +
                         cells[i + 1][j - 1] + cells[i + 1][j] + cells[i + 1][j + 1];
            generation[i][j] = around == 3 || (around == 2 && cells[i][j]);
        }
}

static void told(const char *of) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) sum += (i % 7 + 1) * (double)out[i][j] + generation[i][j] * (1 + (i + j) % 3);
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L + 3; j++)
            for (int k = 0; k < 70; k++) sum += (k + 1) * next[i][j][k];
    for (int p = 0; p < 4; p++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) sum += (p + 1) * moved[p][i][j];
    printf("%s %.6e\n", of, sum);
}

int main(void) {
    for (int i = 0; i < N + 40; i++)
        for (int j = 0; j < M + 40; j++) in[i][j] = (i * 31 + j * 17) % 64 / 32.0f - 1;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++) weight[i][j] = (i * 5 + j * 3) % 16 / 16.0f;
    for (int p = 0; p < 4; p++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) planes[p][i][j] = (p + i * 3 + j) % 32 / 8.0f, cells[i][j] = (i * j + i) % 5 < 2;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L + 3; j++)
            for (int k = 0; k < 70; k++) cube[i][j][k] = (i + 2 * j + 3 * k) % 16 / 4.0;
    for (int p = 0; p < 27; p++) coefficients[p / 9][p / 3 % 3][p % 3] = p / 32.0;
    seven(N, M), told("seven");
    seven(33, 65), told("seven, few");
    any(N, M, 5), told("any");
    any(67, 129, 9), told("any, nine");
    any(N, M, 0), told("none");
    twenty_seven(L, L + 3, 70), told("twenty-seven");
    twenty_seven(5, 6, 7), told("twenty-seven, few");
    triangle(N, M), told("triangle");
    mosaic(N, M), told("mosaic");
    stream(N, M), told("stream");
    life(N, M), told("life");
    return 0;
}
