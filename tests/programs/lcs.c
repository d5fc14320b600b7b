/* The longest common subsequence of two texts by dynamic programming: row by row, and diagonal by diagonal, where all
 * elements are independent. The subsequence is then read backwards out of the table. */
#include <stdio.h>

#ifndef N
#define N 67
#endif
#ifndef M
#define M 59
#endif

static char x[N], y[M], common[N + 1];
static int by_rows[N + 1][M + 1], by_diagonals[N + 1][M + 1];

static void init(void) {
    for (int i = 0; i < N; i++)
        x[i] = "acgt"[i * i % 7 % 4];
    for (int j = 0; j < M; j++)
        y[j] = "acgt"[j * 5 % 11 % 4];
}

static void rows(void) {
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++)
            if (x[i - 1] == y[j - 1])
                by_rows[i][j] = by_rows[i - 1][j - 1] + 1;
            else
                by_rows[i][j] = by_rows[i - 1][j] > by_rows[i][j - 1] ? by_rows[i - 1][j] : by_rows[i][j - 1];
}

static void diagonals(void) {
    for (int d = 2; d <= N + M; d++) {
        int first = d > M ? d - M : 1, last = d - 1 < N ? d - 1 : N;
        for (int i = first; i <= last; i++) {
            int above = by_diagonals[i - 1][d - i], before = by_diagonals[i][d - i - 1];
            int best = above > before ? above : before;
            if (x[i - 1] == y[d - i - 1])
                best = by_diagonals[i - 1][d - i - 1] + 1;
            by_diagonals[i][d - i] = best;
        }
    }
}

static void trace(void) {
    int i = N, j = M, k = by_rows[N][M];
    common[k] = '\0';
    while (k > 0)
        if (x[i - 1] == y[j - 1]) {
            common[--k] = x[i - 1];
            i--;
            j--;
        } else if (by_rows[i - 1][j] > by_rows[i][j - 1])
            i--;
        else
            j--;
}

int main(void) {
    long check = 0;
    int differ = 0;
    init();
    rows();
    diagonals();
    trace();
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++) {
            check += by_rows[i][j] * (1 + (i + j) % 7);
            differ += by_rows[i][j] != by_diagonals[i][j];
        }
    printf("lcs %d %s %ld, %d differ\n", by_rows[N][M], common, check, differ);
    return 0;
}
