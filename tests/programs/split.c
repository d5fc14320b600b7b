/* Loops of which a part calls what the device has not: random numbers, output, input. What is long in them runs on the device,
   before the rest or behind it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 96
#endif

typedef struct {
    double pos[2];
    double angle;
} Bird;

typedef struct {
    int n;
    double side;
    Bird *bird;
} Flock;

/* A generator with a state that it keeps. */
static unsigned long state = 88172645463325252UL;
static double uniform(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) * (1.0 / 9007199254740992.0);
}

/* The mean direction around a bird: all are looked at. */
static double heading(const Flock *f, int i) {
    double x = 0, y = 0;
    for (int j = 0; j < f->n; j++) {
        double dx = f->bird[j].pos[0] - f->bird[i].pos[0], dy = f->bird[j].pos[1] - f->bird[i].pos[1];
        if (dx * dx + dy * dy < f->side * f->side / 16) {
            x += cos(f->bird[j].angle);
            y += sin(f->bird[j].angle);
        }
    }
    return atan2(y, x);
}

/* Noise for each bird, in the program's order. */
void turn(Flock *f, double eta) {
    double *next = malloc(f->n * sizeof(double)); // decline: `malloc` cannot be called on the device
    for (int i = 0; i < f->n; i++) {
        double theta = heading(f, i);
        next[i] = theta + eta * (rand() / (RAND_MAX + 1.0) - 0.5);
    }
    for (int i = 0; i < f->n; i++)
        f->bird[i].angle = next[i];
    free(next);
}

/* Paths with one random number each: what is long is behind it. */
double paths(long n, int steps) {
    double sum = 0, start;
    for (long k = 1; k <= n; ++k) {
        start = rand() / (RAND_MAX + 1.0);
        double x = start;
        for (int s = 0; s < steps; s++)
            x += 0.01 * sin(x + s);
        sum += x;
    }
    return sum + start;
}

/* Before and behind; a row of the matrix is the iteration's, as is an element. */
void rows(int n, int m, double a[][16], int *count) {
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (int j = 0; j < m; j++)
            t += a[i][j % 16] / (j + 1);
        int r = 100 * uniform();
        if (i % 32 == 0)
            printf("row %d: %d %.6f\n", i, r, t);
        int c = 0;
        for (int j = 0; j < m; j++)
            c += (r >> (j % 7)) & 1;
        count[i] = c;
    }
}

/* Numbers that are read. */
void scaled(int n, int m, const char *text, float *restrict y) {
    int at = 0;
    for (int i = 0; i < n; i++) {
        int k, used = 0;
        sscanf(text + at, "%d%n", &k, &used);
        at += used;
        float s = 0;
        for (int j = 0; j < m; j++)
            s += 1.0f / (k + j);
        y[i] = s;
    }
}

/* As it is: an iteration reads what one before it has written. */
void smooth(int n, double *x) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += x[j];
        x[i] = s / n + 1e-3 * (rand() % 7);
    }
}

int main(void) {
    static Bird bird[N];
    static double a[N][16], x[N];
    static int count[N];
    static float y[N];
    Flock flock = {N, 10, bird};
    srand(7);
    for (int i = 0; i < N; i++)
        bird[i] = (Bird){{10 * uniform(), 10 * uniform()}, 6 * uniform()};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 16; j++)
            a[i][j] = 1.0 / (1 + i + j);
    for (int t = 0; t < 3; t++)
        turn(&flock, 0.3);
    double turned = 0;
    for (int i = 0; i < N; i++)
        turned += bird[i].angle * (i + 1);
    printf("%.9f\n", turned);
    printf("%.9f\n", paths(N + 5, 40));
    rows(N, 40, a, count);
    long counted = 0;
    for (int i = 0; i < N; i++)
        counted += (long)count[i] * (i % 13);
    printf("%ld\n", counted);
    char *text = malloc(8 * N);
    int end = 0;
    for (int i = 0; i < N; i++)
        end += sprintf(text + end, "%d ", 2 + i % 17); // decline: `sprintf` cannot be called on the device
    scaled(N, 30, text, y);
    double ys = 0;
    for (int i = 0; i < N; i++)
        ys += y[i];
    printf("%.3f\n", ys);
    smooth(N, x);
    printf("%.9f\n", x[N - 1]);
    free(text);
    return 0;
}
