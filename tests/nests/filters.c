/* Sums over neighbours whose number only the call knows, with windows that slide: along one axis and two, forwards and
   backwards, with steps, of several arrays, and around loops of their own. No size is a multiple of anything. */
#include <stdio.h>
enum { N = 47, M = 251, L = 4091, T = 24 };
static float in[2 * N + 2 * T][2 * M + 3 * T], out[N][M], weight[T][T], planes[2][N + T][M + T], kernels[2][T][T];
static double signal[L + 600], filter[600], filtered[L], field[N + T][M + T], result[N][M];

static void plane(int n, int m, int rows, int columns) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < rows; p++)
                for (int q = 0; q < columns; q++) sum += in[i + p][j + q] * weight[p][q];
            out[i][j] = sum;
        }
}

/* The sum goes to memory each time, a loop of the point is around the windows, and the taps are known. */
static void channels(int n, int m, int c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[i][j] = 1;
            for (int b = 0; b < c; b++)
                for (int p = 0; p < 5; p++)
                    for (int q = 0; q < 17; q++) out[i][j] += planes[b][i + p][j + q] * kernels[b][p][q];
        }
}

/* Cells that no point reads lie between those that some do. */
static void apart(int n, int m, int taps) {
    for (int i = 1; i < n; i++)
        for (int j = 3; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < taps; p++)
                for (int q = 1; q < taps; q++) sum += in[2 * i + p][j + 3 * q] * weight[q][p];
            out[i][j] = sum;
        }
}
static void shrunk(int n, int m, int taps) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int q = 0; q < taps; q++)
                for (int p = 0; p < taps; p++) sum += in[i + 2 * p][2 * j + q] * weight[p][q];
            out[i][j] = sum;
        }
}

/* Several sums, a variable between, and an element without taps. */
static void causal(int n, int taps) {
    for (int i = taps; i < n; i++) {
        double sum = i, energy = 1;
        for (int k = 1; k < taps; k++) {
            double v = signal[i - k];
            sum += v * filter[k];
            energy += v * v;
        }
        filtered[i] = sum + 2 * energy;
    }
}
static void contrast(int n, int m, int taps) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0, most = -100;
            for (int q = 0; q < taps; q++) {
                double d = field[i][j + q] - field[i][j];
                sum += d * filter[taps - 1 - q];
                most = d > most ? d : most;
            }
            result[i][j] = sum + most;
        }
}

/* Each tap has the one before it in its value: no order but the program's will do. */
static void chained(int n, int taps) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < taps; k++) sum = 0.5 * sum + signal[i + k];
        filtered[i] = sum;
    }
}

static void told(const char *of) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) sum += (i % 7 + 1) * (double)out[i][j] + result[i][j] * (1 + (i + j) % 3);
    for (int i = 0; i < L; i++) sum += filtered[i] * (i % 5 + 1);
    printf("%s %.6e\n", of, sum);
}

int main(void) {
    for (int i = 0; i < 2 * N + 2 * T; i++)
        for (int j = 0; j < 2 * M + 3 * T; j++) in[i][j] = (i * 31 + j * 17) % 64 / 32.0f - 1;
    for (int i = 0; i < N + T; i++)
        for (int j = 0; j < M + T; j++) {
            field[i][j] = (i * 13 + j * 7) % 32 / 8.0;
            planes[0][i][j] = (i * 3 + j * 5) % 8;
            planes[1][i][j] = (i + j * 11) % 16 - 8;
        }
    for (int p = 0; p < T; p++)
        for (int q = 0; q < T; q++) {
            weight[p][q] = (p * 5 + q * 3) % 16 / 16.0f;
            kernels[0][p][q] = (p + q) % 4;
            kernels[1][p][q] = (p * 2 + q) % 8 - 4;
        }
    for (int i = 0; i < L + 600; i++) signal[i] = (i * 7) % 32 / 16.0 - 1;
    for (int i = 0; i < 600; i++) filter[i] = (i * 5) % 16 / 16.0;
    plane(N, M, 17, 3), told("plane");
    plane(N - 2, M - 1, 3, 19), told("plane, along");
    plane(33, 41, 3, 19), told("plane, small");
    plane(N, M, 0, 3), told("plane, none");
    channels(N, M, 2), told("channels");
    apart(N, M, 8), told("apart");
    shrunk(N, M, 7), told("shrunk");
    causal(L, 20), told("causal");
    causal(L, 290), told("causal, pieces");
    contrast(N, M, 18), told("contrast");
    chained(L, 16), told("chained");
    return 0;
}
