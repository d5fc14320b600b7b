/* Time loops whose blocks wait for those beside them alone, and some whose blocks cannot. All numbers are exact. */
#include <stdio.h>

#ifndef N
#define N 2100
#endif
#ifndef M
#define M 150
#endif
#ifndef L
#define L 34
#endif

typedef unsigned cell;

static cell a[N], b[N], p[M][M], q[M][M], r[M][M], x[L][L][L], y[L][L][L];

/* Neighbours in a line, two buffers. */
static void line(int steps) {
#pragma rt region sync(relaxed)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            b[i] = 3 * a[i - 1] + a[i] + 5 * a[i + 1] + 1;
        for (int i = 1; i < N - 1; i++)
            a[i] = b[i - 1] ^ b[i] ^ (b[i + 1] >> 1);
    }
#pragma rt end
}

/* In rows; the second sweep reaches two cells far, and begins elsewhere. */
static void rows(int steps) {
#pragma rt region sync(relaxed)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < M - 1; i++)
            for (int j = 1; j < M - 1; j++)
                q[i][j] = p[i][j] + p[i - 1][j] * 3 + p[i + 1][j] + p[i][j - 1] * 7 + p[i][j + 1];
        for (int i = 2; i < M - 2; i++)
            for (int j = 0; j < M; j++)
                p[i][j] = q[i - 2][j] ^ q[i + 2][j] ^ (q[i][j] >> 3);
    }
#pragma rt end
}

/* Three fields in turns, in place; the step is part of what they become. */
static void fields(int steps) {
#pragma rt region sync(relaxed)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < M; i++)
            for (int j = 0; j < M; j++)
                p[i][j] -= r[i][j] - r[i - 1][j] + t;
        for (int i = 0; i < M; i++)
            for (int j = 1; j < M; j++)
                q[i][j] -= r[i][j] - r[i][j - 1];
        for (int i = 0; i < M - 1; i++)
            for (int j = 0; j < M - 1; j++)
                r[i][j] -= q[i][j + 1] - q[i][j] + p[i + 1][j] - p[i][j];
    }
#pragma rt end
}

/* In planes. */
static void planes(int steps) {
#pragma rt region sync(relaxed)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < L - 1; i++)
            for (int j = 1; j < L - 1; j++)
                for (int k = 1; k < L - 1; k++)
                    y[i][j][k] = x[i - 1][j][k] + x[i + 1][j][k] * 3 + x[i][j - 1][k] + x[i][j + 1][k] * 5 +
                                 x[i][j][k - 1] + x[i][j][k + 1] * 7;
        for (int i = 1; i < L - 1; i++)
            for (int j = 1; j < L - 1; j++)
                for (int k = 1; k < L - 1; k++)
                    x[i][j][k] = y[i][j][k] ^ (y[i][j][k] >> 5);
    }
#pragma rt end
}

/* Each cell looks at the one across: all wait for all. */
static void ring(int steps) {
#pragma rt region sync(relaxed)
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            b[i] = a[i] * 3 + a[(i + N / 2) % N];
        for (int i = 0; i < N; i++)
            a[i] = b[i] ^ 5;
    }
#pragma rt end
}

/* Every second cell is another's: twice as far at each place. */
static void spread(int steps) {
#pragma rt region sync(relaxed)
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N / 2; i++)
            b[i] = a[2 * i] + t;
        for (int i = 0; i < N / 2; i++)
            a[i] = b[i] * 3;
    }
#pragma rt end
}

/* A step of the loop needs the sum of the step before. */
static void summed(int steps) {
    cell sum = 1;
#pragma rt region sync(relaxed)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            b[i] = a[i - 1] + a[i + 1] * sum;
        sum = 0;
        for (int i = 1; i < N - 1; i++)
            sum += b[i];
        for (int i = 1; i < N - 1; i++)
            a[i] = b[i] + sum;
    }
#pragma rt end
    printf("%u\n", sum);
}

static cell mixed(int n, const cell *v) {
    cell all = 0;
    for (int i = 0; i < n; i++)
        all = all * 31 + v[i];
    return all;
}

int main(void) {
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i * 37u % 101u;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            p[i][j] = i * 11u + j * 3u;
            q[i][j] = i ^ j;
            r[i][j] = i * j + 1u;
        }
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++)
            for (int k = 0; k < L; k++)
                x[i][j][k] = y[i][j][k] = i * 7u + j * 5u + k;
    line(9);
    rows(7);
    fields(6);
    planes(5);
    printf("%u %u %u %u %u\n", mixed(N, a), mixed(M * M, &p[0][0]), mixed(M * M, &q[0][0]), mixed(M * M, &r[0][0]),
           mixed(L * L * L, &x[0][0][0]));
    ring(4);
    spread(5);
    summed(4);
    line(0);
    printf("%u %u\n", mixed(N, a), mixed(N, b));
    return 0;
}
