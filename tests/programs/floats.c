/* Single precision and functions of math.h: n bodies in two dimensions, and a smooth activation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif
#define SOFTENING 0.01f

static float uniform(void) {
    static unsigned seed = 19;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0f;
}

static void forces(int n, const float *x, const float *y, const float *mass, float *fx, float *fy) {
    for (int i = 0; i < n; i++) {
        float sx = 0.0f, sy = 0.0f;
        for (int j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i];
            float d = sqrtf(dx * dx + dy * dy + SOFTENING);
            float w = mass[j] / (d * d * d);
            sx += w * dx;
            sy += w * dy;
        }
        fx[i] = sx;
        fy[i] = sy;
    }
}

static void activate(int n, const float *fx, const float *fy, float *out) {
    for (int i = 0; i < n; i++) {
        float r = hypotf(fx[i], fy[i]);
        out[i] = tanhf(0.01f * r) + expf(-fabsf(fx[i])) * cosf(fy[i]) + powf(r, 0.25f);
    }
}

/* Counters that are real numbers: quotients and products of them are, too. */
static double counted(int n) {
    double k, sum = 0;
    float h;
    for (k = 1; k <= n; k++)
        sum += 1 / k + k / 4;
    for (k = 3000000; k < 3000000 + n; k++)
        sum += 1e-20 * (k * k * k);
    for (h = n; h > 0; h -= 2)
        sum += h / 3 + 1 / (h + 1);
    return sum;
}

int main(void) {
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), *mass = malloc(N * sizeof *mass);
    float *fx = malloc(N * sizeof *fx), *fy = malloc(N * sizeof *fy), *out = malloc(N * sizeof *out);
    double check = 0.0;
    if (!x || !y || !mass || !fx || !fy || !out)
        return 1;
    for (int i = 0; i < N; i++) {
        x[i] = uniform();
        y[i] = uniform();
        mass[i] = 0.5f + uniform();
    }
    forces(N, x, y, mass, fx, fy);
    activate(N, fx, fy, out);
    for (int i = 0; i < N; i++)
        check += out[i] * (1 + i % 7);
    check += counted(40 * N);
    printf("floats %.4e\n", check);
    free(x);
    free(y);
    free(mass);
    free(fx);
    free(fy);
    free(out);
    return 0;
}
