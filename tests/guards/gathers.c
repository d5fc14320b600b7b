// Sparse products, gathers that lead out of the block behind their pointer, and sums of vectors that may be one, of arrays that are
// kept without a word: the program calls what nobody knows.
//   gathers SEED
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 40000

static unsigned seed;
static int drawn(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (unsigned)n);
}

static void product(int n, const int *start, const int *column, const double *value, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = start[i]; j < start[i + 1]; j++)
            sum += value[j] * x[column[j]];
        y[i] = sum;
    }
}

// Special factors have loops of their own, of which one runs; w may be x or y.
static void sum_of(int n, double a, const double *x, double b, const double *y, double *w)
{
    if (a == 1.0) {
        for (int i = 0; i < n; i++)
            w[i] = x[i] + b * y[i];
    } else if (b == 1.0) {
        for (int i = 0; i < n; i++)
            w[i] = a * x[i] + y[i];
    } else {
        for (int i = 0; i < n; i++)
            w[i] = a * x[i] + b * y[i];
    }
}

// Where a subscript is negative, the memory before the pointer is read; what has been added by then is undone.
static void add_gathered(int n, const int *at, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += 0.5 * x[at[i]];
}

static double norm(int n, const double *x)
{
    double all = 0;
    for (int i = 0; i < n; i++)
        all += x[i] * (i % 5 + 1);
    return all;
}

int main(int argc, char **argv)
{
    char name[64];
    if (gethostname(name, sizeof name) != 0 || argc < 2)
        return 1;
    seed = (unsigned)atoi(argv[1]);
    int *start = malloc((N + 1) * sizeof *start), *column = malloc(3 * N * sizeof *column), *at = malloc(N * sizeof *at);
    double *value = malloc(3 * N * sizeof *value), *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), *z = malloc(N * sizeof *z);
    for (int i = 0; i < N; i++) {
        start[i] = 3 * i;
        for (int k = 0; k < 3; k++) {
            column[3 * i + k] = drawn(N);
            value[3 * i + k] = (drawn(9) - 4) / 16.0;
        }
        x[i] = i % 13, y[i] = i % 7, z[i] = 1;
        at[i] = drawn(N);
    }
    start[N] = 3 * N;
    for (int t = 0; t < 30; t++) {
        double *const all[3] = {x, y, z};
        double *const a = all[drawn(3)], *const b = all[drawn(3)], *const w = all[drawn(3)];
        switch (drawn(7)) {
        case 0:
        case 1:
            if (a != b) product(N, start, column, value, a, b);
            break;
        case 2:
        case 3:
            sum_of(N, drawn(2) ? 1.0 : 0.25, a, drawn(2) ? 1.0 : -0.5, b, w);
            break;
        case 4: // in the block
            if (a != b) add_gathered(N, at, a, b);
            break;
        case 5: { // and out of what is known behind the pointer
            const int middle = N / 2;
            for (int i = 0; i < N; i++)
                at[i] -= middle;
            if (a != b) add_gathered(middle, at, a + middle, b);
            for (int i = 0; i < N; i++)
                at[i] += middle;
            break;
        }
        default: // the host's
            a[drawn(N)] = drawn(100), column[drawn(3 * N)] = drawn(N);
            printf("%.12g %.12g\n", b[drawn(N)], w[drawn(N)]);
        }
        for (int i = 0; i < 3; i++) {
            if (norm(N, all[i]) > 1e9 || norm(N, all[i]) < -1e9) sum_of(N, 1e-6, all[i], 0.0, all[i], all[i]);
        }
        printf("%d %.9g %.9g %.9g\n", t, norm(N, x), norm(N, y), norm(N, z));
    }
    return 0;
}
