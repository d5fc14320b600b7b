// Levels of time in tables: chosen by the step's number, by a flag that is turned over, by integers that take turns.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 96, M = 80, STEPS = 13 };

static double wave[3][N][M];

static void start(double *a, double *b) {
    for (int i = 0; i < N; i++) {
        a[i] = sin(0.1 * i);
        b[i] = a[i];
    }
}

// By the remainder of the counter.
static void diffuse(double *u[2], int steps) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < N - 1; i++)
            u[(t + 1) % 2][i] = u[t % 2][i] + 0.2 * (u[t % 2][i - 1] - 2 * u[t % 2][i] + u[t % 2][i + 1]);
}

// By a flag; the rows are taken as pointers first.
static int advect(double *u[2], int steps) {
    int cur = 0;
    for (int t = 0; t < steps; t++) {
        const double *old = u[cur];
        double *new = u[cur ^ 1];
        for (int i = 1; i < N; i++)
            new[i] = old[i] - 0.3 * (old[i] - old[i - 1]);
        cur ^= 1;
    }
    return cur;
}

// Three levels that take turns.
static int oscillate(int steps) {
    int old = 0, now = 1, next = 2;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                wave[next][i][j] = 2 * wave[now][i][j] - wave[old][i][j] +
                                   0.1 * (wave[now][i - 1][j] + wave[now][i + 1][j] + wave[now][i][j - 1] +
                                          wave[now][i][j + 1] - 4 * wave[now][i][j]);
        int free = old;
        old = now;
        now = next;
        next = free;
    }
    return now;
}

// Until it changes little: only the data know how often the flag is turned over.
static int settle(double u[2][N], double limit) {
    int cur = 0;
    double most;
    do {
        most = 0;
        for (int i = 1; i < N - 1; i++) {
            u[1 - cur][i] = 0.5 * (u[cur][i - 1] + u[cur][i + 1]);
            most = fmax(most, fabs(u[1 - cur][i] - u[cur][i]));
        }
        cur = 1 - cur;
    } while (most > limit);
    return cur;
}

int main(void) {
    double *u[2] = {malloc(N * sizeof(double)), malloc(N * sizeof(double))};
    double *v[2] = {malloc(N * sizeof(double)), malloc(N * sizeof(double))};
    double (*w)[N] = malloc(2 * sizeof *w);
    start(u[0], u[1]);
    start(v[0], v[1]);
    start(w[0], w[1]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            wave[0][i][j] = wave[1][i][j] = exp(-0.01 * ((i - 40) * (i - 40) + (j - 30) * (j - 30)));
    diffuse(u, STEPS);
    int a = advect(v, STEPS), b = oscillate(STEPS), c = settle(w, 1e-3);
    double sum = 0;
    for (int i = 0; i < N; i++) sum += u[STEPS % 2][i] + v[a][i] + wave[b][i][M / 3] + w[c][i];
    printf("%d %d %d %.9g\n", a, b, c, sum);
    return 0;
}
