/* Loops over the entries of rows that only accumulate, or go along the columns of a row: rows are independent, whatever the
 * data say of their lengths. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 157
#endif
#define M 60
#define WIDTH 4

/* Rows of 0 to 3 entries, and a long one. Returns the number of entries. */
static int build(int n, int *start, int *column, double *value) {
    int count = 0;
    for (int i = 0; i < n; i++) {  // decline: no loop here is parallel
        int most = i == n / 3 ? 5 * n : i % 4;
        start[i] = count;
        for (int k = 0; k < most; k++) {
            column[count] = (i * 7 + k * 13) % M;
            value[count] = 1.0 / (1 + (i + k) % 9);
            count++;
        }
    }
    start[n] = count;
    return count;
}

/* The sum of all entries, each times its place in its row, and the greatest of them. */
static double total(int n, int count, const int start[n + 1], const double value[count]) {
    double sum = 0.0, most = 0.0;
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * (k - start[i]);
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            if (value[k] > most)
                most = value[k];
    return sum + most;
}

/* How many entries each column has. */
static void lengths(int n, int count, const int start[n + 1], const int column[count], int length[M]) {
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            int j = column[k];
            length[j]++;
        }
}

/* Goes along a row of z for each entry; the row of the next entry begins where that one ended. */
static void smooth(int n, int count, const int start[n + 1], const double value[count], double z[n][WIDTH]) {
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            for (int c = WIDTH - 1; c >= 0; c--)
                z[i][c] = z[i][c] * 0.5 + value[k];
}

/* The same from the row before: that is in order. */
static void spread(int n, int count, const int start[n + 1], const double value[count], double z[n][WIDTH]) {
    for (int i = 1; i < n; i++)  // decline: no loop here is parallel
        for (int k = start[i]; k < start[i + 1]; k++)
            for (int c = 0; c < WIDTH - 1; c++)
                z[i][c] += z[i - 1][c + 1] * value[k];
}

int main(void) {
    int *start = malloc((N + 1) * sizeof *start), *column = malloc(9 * N * sizeof *column), length[M] = {0};
    double *value = malloc(9 * N * sizeof *value), (*z)[WIDTH] = calloc(N, sizeof *z), check = 0.0;
    if (!start || !column || !value || !z)
        return 1;
    int count = build(N, start, column, value);
    check = total(N, count, start, value);
    lengths(N, count, start, column, length);
    smooth(N, count, start, value, z);
    spread(N, count, start, value, z);
    for (int j = 0; j < M; j++)
        check += length[j] * (j % 7);
    for (int i = 0; i < N; i++)
        check += z[i][0] + z[i][WIDTH - 1] * 2 + z[i][1];
    printf("entries: %d, %.9e\n", count, check);
    free(start);
    free(column);
    free(value);
    free(z);
    return 0;
}
