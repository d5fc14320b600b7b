/* Bodies under gravity: all pairs attract, softened near each other; leapfrog in time. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 61
#endif
#ifndef STEPS
#define STEPS 4
#endif
#define SOFTENING 0.05f

static float x[N], y[N], z[N], vx[N], vy[N], vz[N], mass[N];

static void init(void) {
    for (int i = 0; i < N; i++) {
        x[i] = (i * 37 % 101) / 101.0f - 0.5f;
        y[i] = (i * 53 % 103) / 103.0f - 0.5f;
        z[i] = (i * 71 % 107) / 107.0f - 0.5f;
        vx[i] = 0.1f * y[i];
        vy[i] = -0.1f * x[i];
        vz[i] = 0.0f;
        mass[i] = (1.0f + i % 5) / N;
    }
}

static void move(float dt) {
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < N; i++) {
            float ax = 0.0f, ay = 0.0f, az = 0.0f;
            for (int j = 0; j < N; j++) {
                float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
                float square = dx * dx + dy * dy + dz * dz + SOFTENING;
                float pull = mass[j] / (square * sqrtf(square));
                ax += pull * dx;
                ay += pull * dy;
                az += pull * dz;
            }
            vx[i] += dt * ax;
            vy[i] += dt * ay;
            vz[i] += dt * az;
        }
        for (int i = 0; i < N; i++) {
            x[i] += dt * vx[i];
            y[i] += dt * vy[i];
            z[i] += dt * vz[i];
        }
    }
}

/* Kinetic and potential energy, each pair once. */
static double energy(void) {
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        sum += 0.5 * mass[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]);
        for (int j = i + 1; j < N; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            sum -= mass[i] * mass[j] / sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
        }
    }
    return sum;
}

int main(void) {
    double check = 0.0;
    init();
    double before = energy();
    move(0.01f);
    for (int i = 0; i < N; i++)
        check += (x[i] + y[i] + z[i]) * (1 + i % 7);
    printf("nbody %.4e, energy %.5f %.5f\n", check, before, energy());
    return 0;
}
