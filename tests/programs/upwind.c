/* A tracer carried by a turning wind: upwind differences, with the neighbour outside the domain replaced by what flows
 * in there. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 51
#endif
#ifndef M
#define M 45
#endif
#ifndef STEPS
#define STEPS 7
#endif

static float q[N][M], q_new[N][M], wind_x[N][M], wind_y[N][M];

static void init(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            wind_x[i][j] = (j - M / 2) * (1.0f / M);
            wind_y[i][j] = (N / 2 - i) * (1.0f / N);
            q[i][j] = (i - N / 3) * (i - N / 3) + (j - M / 3) * (j - M / 3) < 60 ? 1.0f : 0.0f;
        }
}

static void advect(float r, float inflow) {
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) {
                float north, south, west, east;
                if (i == 0)
                    north = inflow;
                else
                    north = q[i - 1][j];
                if (i == N - 1)
                    south = inflow;
                else
                    south = q[i + 1][j];
                west = j > 0 ? q[i][j - 1] : inflow;
                east = j < M - 1 ? q[i][j + 1] : inflow;
                float flux = 0.0f;
                if (wind_x[i][j] > 0.0f)
                    flux += wind_x[i][j] * (q[i][j] - north);
                else
                    flux += wind_x[i][j] * (south - q[i][j]);
                if (wind_y[i][j] > 0.0f)
                    flux += wind_y[i][j] * (q[i][j] - west);
                else
                    flux += wind_y[i][j] * (east - q[i][j]);
                q_new[i][j] = q[i][j] - r * flux;
            }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                q[i][j] = q_new[i][j];
    }
}

/* How much of it there is, and the largest concentration. */
static double total(float *largest) {
    double sum = 0.0;
    *largest = 0.0f;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            sum += q[i][j];
            *largest = fmaxf(*largest, q[i][j]);
        }
    return sum;
}

int main(void) {
    double check = 0.0;
    float largest;
    init();
    advect(0.7f, 0.01f);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check += q[i][j] * (1 + (i + j) % 7);
    double sum = total(&largest);
    printf("upwind %.5e, total %.5e, largest %.5f\n", check, sum, largest);
    return 0;
}
