/* Variables that are set, counted or summed beside other things under a condition on data: set before or not, in nests, in a
   loop until nothing changes, to several constants, and in loops that are left early. */
#include <stdbool.h>
#include <stdio.h>
enum { N = 300 };
static double x[N], y[N];
static int next[N];
static _Bool mask[N], now[N];

static int clipped(int n, double t, int before) {
    int changed = before, count = 0, twice = 7;
    double sum = 0.5;
    for (int i = 0; i < n; i++)
        if (x[i] > t) {
            sum += x[i] - t;
            x[i] = t;
            changed = 1;
            count++;
        } else {
            y[i] = x[i];
            twice = -2;
        }
    return changed * 1000 + count * 10 + twice + (int)sum;
}

static float nested(int n, int m) {
    float set = 0.25f;
    char small = 3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > 10) {
                y[i * m + j] = 0;
                set = 2.5f;
            } else if (x[i * m + j] < 0)
                small = 9;
    return set + small;
}

static int rounds(int n) {
    int k = 0;
    bool more;
    do {
        more = false;
        for (int i = 0; i < n; i++)
            if (now[i] == true) {
                now[i] = false;
                if (next[i] > 0) mask[next[i]] = true;
            }
        for (int i = 0; i < n; i++)
            if (mask[i]) {
                now[i] = true;
                mask[i] = false;
                more = true;
            }
        k++;
    } while (more && k < 20);
    return k;
}

/* Two values, a first one that is kept, one that is read on the way, and the first of all. */
static int others(int n) {
    int sign = 0, first = -1, seen = 0, early = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 3) { y[i] += 1; sign = 1; }
        if (x[i] < 1) { y[i] -= 1; sign = -1; }
    }
    for (int i = 0; i < n; i++)
        if (x[i] > 4) { y[i] += seen; seen = 1; }
    for (int i = 0; i < n; i++)
        if (x[i] > 5 && first < 0) { y[i] += 3; first = i; }
    for (int i = 0; i < n; i++) {
        if (y[i] > 8) early = 1;
        if (x[i] > 7) break;
    }
    return sign * 1000 + first * 10 + seen * 2 + early;
}

/* Each iteration has a flag of its own; behind the loop the name is another's. */
static int hidden(int n) {
    int d = 5;
    for (int i = 0; i < n; i++) {
        int d = 0;
        if (x[i] > 1) { d = 1; x[i] -= 1; }
        y[i] += d;
    }
    return d;
}

int main(void) {
    for (int i = 0; i < N; i++) { x[i] = i * 37 % 23; y[i] = i; next[i] = i % 5 ? i / 2 : 0; now[i] = i > 290; }
    int a = clipped(N, 18, 0), b = clipped(0, 1, 5), c = clipped(N, 100, 3);
    float d = nested(20, 15);
    int e = rounds(N), f = others(N) + hidden(N);
    double s = 0;
    for (int i = 0; i < N; i++) s += x[i] + 2 * y[i];
    printf("%d %d %d %g %d %d %g\n", a, b, c, d, e, f, s);
}
