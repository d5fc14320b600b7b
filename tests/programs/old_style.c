// C as it was written for decades: variables at the top of a function, which each iteration sets before it reads them;
// addresses of them handed to functions; output that is switched off by constants.
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 47
#endif
#define DEBUG 0
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define COUNT(k) do { steps[k] += 1; } while (0)
enum { VERBOSE = 0, TAKE = 5 };
static const int trace = 0;

static int escapes[N][M], steps[N];
static double roots[N], sums[N], first[N];

static void escape(int most)
{
    int i, j, k;
    double x, y, zx, zy, t, size;
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            x = 3.0 * i / N - 2;
            y = 2.0 * j / M - 1;
            zx = zy = 0;
            for (k = 0; k < most; k++) {
                t = zx * zx - zy * zy + x;
                zy = 2 * zx * zy + y;
                zx = t;
                size = zx * zx + zy * zy;
                if (size > 4) break;
            }
            if (DEBUG > 1 && size < 0) exit(1);
            escapes[i][j] = k;
        }
}

static void halve(double from, double step)
{
    int i;
    double lo, hi, middle, value;
    for (i = 0; i < N; i++) {
        if (sizeof(double) != 8) {
            printf("an odd machine\n");
            exit(2);
        }
        lo = 0, hi = from + i * step + 1;
        do {
            middle = 0.5 * (lo + hi);
            value = middle * middle - from - i * step;
            if (value > 0) hi = middle;
            else lo = middle;
            if (VERBOSE) printf("%g %g\n", lo, hi);
        } while (hi - lo > 1e-9);
        roots[i] = middle;
        COUNT(i);
    }
}

// A generator of random numbers that is set forward to each iteration's place: its state goes by its address.
static double draw(unsigned *state, unsigned factor)
{
    *state = factor * *state + 1013904223u;
    return *state / 4294967296.0;
}

static void draws(int n)
{
    int i, k, rest, half;
    unsigned state, factor;
    double value, most;
    for (i = 0; i < n; i++) {
        state = 271828183u;
        factor = 1664525u;
        rest = i;
        for (k = 1; k <= 100; k++) {
            half = rest / 2;
            if (2 * half != rest) value = draw(&state, factor);
            if (half == 0) break;
            value = draw(&factor, factor);
            rest = half;
        }
        first[i] = state / 65536.0;
        most = 0;
        for (k = 0; k < TAKE; k++) {
            value = draw(&state, 22695477u);
            most = MAX(most, value);
        }
        if (trace) printf("%d %g\n", i, most);
        sums[i] = most;
    }
}

// What one branch alone sets is what an iteration before may have left.
static double stale(int n)
{
    int i, k;
    double last = 0, sum;
    for (i = 0; i < n; i++) {  // decline: depend on each other through `last`
        sum = 0;
        for (k = 0;; k++) {
            if (k % 3 == i % 3) last = k + i;
            sum += last;
            if (sum > 10 + i) break;
        }
        sums[i] += sum;
    }
    return last;
}

int main(void)
{
    double s = 0;
    escape(200);
    halve(2, 0.25);
    draws(N);
    s = stale(N);
    for (int i = 0; i < N; i++) {
        s += roots[i] + sums[i] + first[i] + steps[i];
        for (int j = 0; j < M; j++) s += escapes[i][j] * (i + 1.5 * j);
    }
    printf("%.9g\n", s);
    return 0;
}
