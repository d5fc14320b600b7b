/* Prefix sums as programs have them: where each bucket of a counting sort begins, ranks of chosen elements, running sums
 * forwards and back, a record so far, and a time loop around one. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 5000
#endif
#ifndef BUCKETS
#define BUCKETS 701
#endif

/* What stands before each bucket, and how many there are. */
static int offsets(int n, int *count) {
    int start = 0;
    for (int b = 0; b < n; b++) {
        int c = count[b];
        count[b] = start;
        start += c;
    }
    return start;
}

static void sort(int n, const int *key, int *count, int *sorted) {
    for (int b = 0; b < BUCKETS; b++)
        count[b] = 0;
    for (int i = 0; i < n; i++)
        count[key[i]]++;
    offsets(BUCKETS, count);
    for (int i = 0; i < n; i++)
        sorted[count[key[i]]++] = key[i];  // decline: an assignment inside an expression
}

/* Places of the elements above a limit among all such; then a copy without the others. */
static int ranks(int n, const double *x, double limit, int *rank) {
    int m = 0;
    for (int i = 0; i < n; i++) {
        rank[i] = m;
        if (x[i] > limit)
            m++;
    }
    return m;
}

static int chosen_alone(int n, const double *x, double limit, double kept[n]) {
    int m = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > limit)
            kept[m++] = x[i];
    return m;
}

static void running_sum(int n, const double *x, double *sum) {
    sum[0] = x[0];
    for (int i = 1; i < n; i++)
        sum[i] = sum[i - 1] + x[i];
}

static void from_behind(int n, double *x) {
    for (int i = n - 2; i >= 0; i--)
        x[i] += x[i + 1];
}

static void drawdown(int n, const double *price, double *below) {
    double most = price[0];
    for (int i = 0; i < n; i++) {
        if (price[i] > most)
            most = price[i];
        below[i] = most - price[i];
    }
}

static void relax(int steps, int n, double *x, double *y) {
    for (int t = 0; t < steps; t++) {
        double mass = 0.0;
        for (int i = 0; i < n; i++) {
            mass += x[i];
            y[i] = mass;
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * x[i] + y[i] / (n + i);
    }
}

int main(void) {
    int *key = malloc(N * sizeof *key), *rank = malloc(N * sizeof *rank), *sorted = malloc(N * sizeof *sorted);
    int count[BUCKETS], chosen, bad = 0;
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), check = 0.0;
    if (!key || !rank || !sorted || !x || !y)
        return 1;
    for (int i = 0; i < N; i++) {
        key[i] = (i * 7919 + 13) % BUCKETS;
        x[i] = (i * 31 % 101) / 8.0 - 5.0;
    }
    sort(N, key, count, sorted);
    for (int i = 1; i < N; i++)
        bad += sorted[i - 1] > sorted[i];
    chosen = ranks(N, x, 0.5, rank);
    running_sum(N, x, y);
    for (int i = 0; i < N; i++)
        check += y[i] * (1 + i % 3) + rank[i];
    bad += chosen_alone(N, x, 0.5, y) != chosen;
    for (int i = 0; i < chosen; i++)
        check += y[i] * (1 + i % 7);
    drawdown(N, x, y);
    for (int i = 0; i < N; i++)
        check += y[i];
    from_behind(N, x);
    relax(3, N, x, y);
    for (int i = 0; i < N; i++)
        check += x[i] * (1 + i % 5) + y[i];
    printf("prefix %d chosen, %d out of order, %.9g\n", chosen, bad, check);
    free(key);
    free(rank);
    free(sorted);
    free(x);
    free(y);
    return 0;
}
