// A layer of filters with a step and a margin, forwards and backwards: reads and sums that a test keeps in memory, several sums
// under one condition; and helpers that return the larger of two, which accumulate.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct layer { int depth, width, size, step, margin; };

static double larger(double a, double b) { return a > b ? a : b; }

static float least(float a, float b)
{
    if (b < a)
        return b;
    return a;
}

static void forwards(struct layer l, int n, const double *in, const double *weights, double *out) {
    for (int z = 0; z < l.depth; z++)
        for (int y = 0; y < n; y++) {
            int y0 = y * l.step - l.margin;
            for (int x = 0; x < n; x++) {
                int x0 = x * l.step - l.margin;
                double v = 0;
                for (int dy = 0; dy < l.size; dy++) {
                    int from = y0 + dy;
                    if (from >= 0 && from < l.width) {
                        int at = from * l.width;
                        for (int dx = 0; dx < l.size; dx++)
                            if (0 <= x0 + dx && x0 + dx < l.width)
                                v += in[at + x0 + dx] * weights[(z * l.size + dy) * l.size + dx];
                    }
                }
                out[(z * n + y) * n + x] = v;
            }
        }
}

static void backwards(struct layer l, int n, const double *in, const double *weights, const double *error, double *back,
                      double *change) {
    for (int z = 0; z < l.depth; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                double e = error[(z * n + y) * n + x];
                for (int dy = 0; dy < l.size; dy++) {
                    int from = y * l.step - l.margin + dy;
                    if (from >= 0 && from < l.width)
                        for (int dx = 0; dx < l.size; dx++) {
                            int side = x * l.step - l.margin + dx;
                            if (side >= 0 && side < l.width) {
                                back[from * l.width + side] += weights[(z * l.size + dy) * l.size + dx] * e;
                                change[(z * l.size + dy) * l.size + dx] += e * in[from * l.width + side];
                            }
                        }
                }
            }
}

static void scatter(int n, int m, const int *at, const double *x, double *low, double *high) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0) {
            low[at[i]] += x[i];
            high[(at[i] + 1) % m] += 2 * x[i];
        }
}

static double change_of(int n, double *u, const double *f) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        double d = f[i] - u[i];
        d = d * 0.25;
        most = larger(most, fabs(d));
        u[i] += d;
    }
    return most;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 12, m = 3 * n;
    struct layer l = {.depth = 4, .width = 2 * n, .size = 5, .step = 2, .margin = 2};
    double *in = malloc(l.width * l.width * sizeof *in), *back = calloc(l.width * l.width, sizeof *back);
    double *out = malloc(l.depth * n * n * sizeof *out);
    double *weights = malloc(100 * sizeof *weights), *change = calloc(100, sizeof *change);
    double *low = calloc(m, sizeof *low), *high = calloc(m, sizeof *high);
    int *at = malloc(l.depth * n * n * sizeof *at);
    for (int i = 0; i < l.width * l.width; i++)
        in[i] = i % 11 - 4;
    for (int i = 0; i < 100; i++)
        weights[i] = i % 7 - 3;
    for (int i = 0; i < l.depth * n * n; i++)
        at[i] = i * 5 % m;
    forwards(l, n, in, weights, out);
    backwards(l, n, in, weights, out, back, change);
    scatter(l.depth * n * n, m, at, out, low, high);
    double sum = 0, most;
    int steps = 0;
    do {
        most = change_of(l.width * l.width, back, in);
        steps++;
    } while (most > 1 && steps < 40);
    float smallest = 1e6f;
    for (int i = 0; i < m; i++)
        smallest = least((float)low[i], smallest);
    for (int i = 0; i < 100; i++)
        sum += change[i] * (i % 3);
    for (int i = 0; i < m; i++)
        sum += low[i] - high[i];
    printf("%.10g %.10g %d %g\n", sum, back[7], steps, smallest);
    free(in), free(back), free(out), free(weights), free(change), free(low), free(high), free(at);
}
