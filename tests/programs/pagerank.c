/* PageRank: powers of a sparse matrix whose rows are of very different lengths, by rows as it stands and, for the first
 * step, by triplets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 900
#endif
#ifndef STEPS
#define STEPS 60
#endif
#define DAMPING 0.85

/* Row i has the pages that link to page i: a few pages are linked to by most. Returns how many links there are. */
static int links(int n, int *start, int *column, int *row, double *weight) {
    int count = 0;
    for (int i = 0; i < n; i++) {  // decline: no loop here is parallel
        int most = i == n / 3 ? n : i % 97 == 0 ? n / 8 : i % 5;
        start[i] = count;
        for (int k = 0; k < most; k++) {
            column[count] = (i * 7 + k * 13) % n;
            row[count] = i;
            weight[count] = 1.0 / (1 + (i * 7 + k * 13) % n % 11);
            count++;
        }
    }
    start[n] = count;
    return count;
}

/* The links to a page, weighted. */
static void first_ranks(int n, int count, const int row[count], const int column[count], const double weight[count],
                        const double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        y[i] = 0.0;
    for (int k = 0; k < count; k++)
        y[row[k]] += weight[k] * x[column[k]];
}

static int ranks(int n, int count, const int start[n + 1], const int column[count], const double weight[count],
                 double x[n], double y[n], double tolerance) {
    double change = 1.0, length = 1.0;
    int steps = 0;
    while (change > tolerance && steps < STEPS) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += weight[k] * x[column[k]];
            y[i] = DAMPING * sum;
        }
        length = 0.0;
        for (int i = 0; i < n; i++)
            length += fabs(y[i] + (1.0 - DAMPING) / n);
        change = 0.0;
        for (int i = 0; i < n; i++) {
            double next = (y[i] + (1.0 - DAMPING) / n) / length;
            change += fabs(next - x[i]);
            x[i] = next;
        }
        steps++;
    }
    return steps;
}

int main(void) {
    int n = N, steps = -1, *start = malloc((n + 1) * sizeof *start);
    int *column = malloc(8 * (size_t)n * sizeof *column), *row = malloc(8 * (size_t)n * sizeof *row);
    double *weight = malloc(8 * (size_t)n * sizeof *weight), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    double check = 0.0;
    if (!start || !column || !row || !weight || !x || !y)
        return 1;
    int count = links(n, start, column, row, weight);
    for (int i = 0; i < n; i++)
        y[i] = 1.0 / n;
    first_ranks(n, count, row, column, weight, y, x);
    steps = ranks(n, count, start, column, weight, x, y, 1e-10);
    for (int i = 0; i < n; i++)
        check += x[i] * (1 + i % 7);
    printf("pagerank: %d links, %d steps, %.9e\n", count, steps, check);
    free(start);
    free(column);
    free(row);
    free(weight);
    free(x);
    free(y);
    return 0;
}
