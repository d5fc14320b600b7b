/* Loops in blocks of OpenMP that cannot be regions as a whole: one thread of the team runs what is shared out, on the device. */
#include <omp.h>
#include <stdio.h>

#define N 700
#define THREADS 3

static double a[N], b[N], own[THREADS][N];
static double total;
static int odd;

/* A loop that whoever calls it shares out, and one whose end is another function's. */
static void twice(int n, double *u) {
#pragma omp for
    for (int i = 0; i < n; i++)
        u[i] = 2.0 * u[i] + 1.0;
}

static void add(int n, const double *u) {
    int i;
#pragma omp for schedule(static, 16) reduction(+ : total) nowait
    for (i = 0; i < n; i++)
        total += u[i];
#pragma omp barrier
}

/* The printing keeps the block from being a region. */
static void printing(int n) {
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp master
        puts("begin");
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = 0.5 * i;
#pragma omp for
        for (int i = 0; i < n; i++)
            b[i] = a[n - 1 - i] + i % 7;
        for (int t = 0; t < 3; t++) {
            twice(n, b);
#pragma omp for reduction(+ : odd)
            for (int i = 0; i < n; i++)
                odd += (int)b[i] % 2 != 0;
        }
        add(n, b);
#pragma omp single
        printf("%.3f %d\n", total, odd);
    }
}

/* Each thread has rows of its own: what is handed over differs. */
static void apart(int n) {
#pragma omp parallel num_threads(THREADS)
    {
        int me = omp_get_thread_num();
        double *mine = own[me];
        for (int i = 0; i < n; i++) // decline: each thread that `omp parallel` of line 53 starts comes here
            mine[i] = me;
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < n; i++)
            mine[i] += 1.0;
#pragma omp single
        puts("apart");
    }
}

/* By the number of the thread. */
static void by_number(int n) {
#pragma omp parallel num_threads(THREADS)
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int i = me; i < n; i += all) // decline: each thread that `omp parallel` of line 70 starts comes here
            a[i] = b[i] + 3.0;
    }
}

int main(void) {
    double sum = 0.0;
    printing(N);
    apart(N);
    by_number(N);
    twice(N, a);
    add(N, a);
    for (int i = 0; i < N; i++) {
        sum += a[i] * (i % 5) + b[i];
        for (int t = 0; t < THREADS; t++)
            sum += own[t][i];
    }
    printf("%.3f %.3f\n", total, sum);
    return 0;
}
