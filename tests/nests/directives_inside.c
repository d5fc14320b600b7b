/* What directives inside a parallel loop, or around it, say of what iterations share: updates that threads make one after
   the other, and variables that each thread has, none of which is what the directive before the loop calls independent. */
#include <stdio.h>
#include <string.h>
enum { N = 700, B = 12 };
static int key[N], perm[N], h[B], g[B], held[B];
static double x[N], y[N], z[N], w[N], sums[B], best[B];
static double scratch[100];
#pragma omp threadprivate(scratch)

/* A plain histogram, one behind an early end of the iteration, one in two places, one beside what only the directive says. */
static void atomics(int n, int nb) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        g[(key[i] & 7) + 1]++;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int b = key[i];
        if (b < 0 || b >= nb)
            continue;
#pragma omp atomic
        h[b]++;
    }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n / 7; i++)
        for (int j = 0; j < 7; j++) {
            int b = key[i * 7 + j];
            y[perm[i * 7 + j]] = 2 * x[i * 7 + j];
            if (b >= 0 && b < nb) {
#pragma omp atomic update
                h[b] += 2;
#pragma omp atomic
                sums[b] -= x[i * 7 + j];
            }
        }
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        int b = key[i];
        if (b >= 0 && b < nb) {
#pragma acc atomic update
            h[b] = h[b] + 3;
        }
    }
}

static void bump(int *at) {
#pragma omp atomic
    (*at)++;
}

static void through_a_call(int n, int nb) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (key[i] >= 0 && key[i] < nb)
            bump(&h[key[i]]);
}

/* Sums and maxima under `critical`; what is no accumulation stays in order. */
static double criticals(int n, int nb) {
    double total = 0, most = -1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int b = key[i];
#pragma omp critical
        total += x[i];
#pragma omp critical(most)
        {
            if (x[i] > most)
                most = x[i];
        }
        if (b < 0 || b >= nb)
            continue;
#pragma omp critical
        {
            if (x[i] > best[b])
                best[b] = x[i];
            g[b] += 1;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        z[perm[i]] = x[i] + 1;
        int b = key[i] & 7;
#pragma omp critical
        {
            held[b] = 3 * held[b] % 1001 + i;
            z[perm[i]] += held[b];
        }
    }
    return total + 1000 * most;
}

/* The value before each update, and reads and writes of one element. */
static void captures(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k;
#pragma omp atomic capture
        k = g[key[i] & 3]++;
        y[i] += k;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int v;
#pragma omp atomic read
        v = held[key[i] & 3];
#pragma omp atomic write
        held[(key[i] + 1) & 3] = v + i;
    }
}

static void halve(double *at, double more) {
#pragma omp ordered
    *at = 0.5 * *at + more;
}

/* What stands in `ordered`, also in a function; what stands behind `barrier` and in `single`. */
static void in_order(int n) {
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        y[perm[i]] = x[i];
#pragma omp ordered
        held[key[i] & 7] = 5 * held[key[i] & 7] % 997 + i;
    }
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++)
        halve(&z[key[i] & 7], x[i]);
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] += x[i];
#pragma omp barrier
#pragma omp single
        y[0] += 1;
#pragma omp master
        for (int i = 1; i < n; i++)
            y[i] += y[i - 1] / 2;
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma omp flush
            z[key[i] & 3] = z[key[i] & 3] / 2 + 1;
        }
    }
}

/* Handed what a thread of its caller's has for itself. */
static void smooth(int n, double *own) {
#pragma omp for
    for (int i = 0; i < n; i++) {
        int m = (key[i] & 31) + 2;
        for (int k = 0; k < m; k++)
            own[k] = x[(i + k) % n];
        double s = 0;
        for (int k = 0; k < m; k++)
            s += own[m - 1 - k] / (k + 1);
        w[i] += s;
    }
}

#pragma omp declare reduction(most : double : omp_out = omp_out > omp_in ? omp_out : omp_in) initializer(omp_priv = 0)

/* What each thread begins with, what the last iteration leaves, an operator that the program declares. */
static double by_clauses(int n) {
    double t = 3, last = 0, most = 0;
#pragma omp parallel for firstprivate(t) lastprivate(last)
    for (int i = 0; i < n; i++) {
        last = t * x[i] + 1;
        w[i] += last;
    }
#pragma omp parallel for reduction(most : most)
    for (int i = 0; i < n; i++)
        if (w[i] > most)
            most = w[i];
    for (int t = 0; t < 2; t++) {
#pragma omp parallel
        {
            double own[95];
            smooth(n, own);
        }
    }
    return last + 100 * most;
}

/* Scratch that each thread has: by declaration, by clause, by `threadprivate`. */
static double of_each_thread(int n) {
    double t = 3, last = 0, kept[80];
    for (int k = 0; k < 80; k++)
        kept[k] = k;
#pragma omp parallel firstprivate(kept)
    {
        double own[90];
#pragma omp for
        for (int i = 0; i < n; i++) {
            int m = (key[i] & 31) + 2;
            for (int k = 0; k < m; k++)
                own[k] = x[(i + k) % n];
            double s = 0;
            for (int k = 0; k < m; k++)
                s += own[k] * kept[k];
            y[i] = s;
        }
    }
#pragma omp parallel for firstprivate(t, kept) lastprivate(last)
    for (int i = 0; i < n; i++) {
        int m = (key[i] & 31) + 2;
        kept[0] = x[i];
        for (int k = 1; k < m; k++)
            kept[k] = kept[k - 1] / 2;
        last = kept[m - 1] + t;
        z[i] = last;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int m = (key[i] & 63) + 1;
        for (int k = 0; k < m; k++)
            scratch[k] = x[(i + k) % n];
        double s = 0;
        for (int k = 0; k < m; k++)
            s += scratch[m - 1 - k] / (k + 1);
        y[i] += s;
    }
    return last;
}

/* Accumulations by clause into an array; a nested loop with a directive and an update of its own; `simd` says nothing. */
static void nested(int n, int nb) {
#pragma omp parallel for reduction(+ : h[:B])
    for (int i = 0; i < n; i++) {
        int b = key[i];
        if (b < 0 || b >= nb)
            continue;
        h[b] += i & 3;
    }
#pragma omp parallel for
    for (int i = 0; i < n / 10; i++) {
#pragma omp parallel for
        for (int j = 0; j < 10; j++) {
#pragma omp atomic
            g[perm[i * 10 + j] & 7] += i;
        }
#pragma omp simd
        for (int j = 0; j < 10; j++)
            y[i * 10 + j] *= 0.5;
    }
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < n; i++)
            y[i] += 1;
#pragma omp section
        for (int i = 0; i < n; i++)
            z[i] -= 1;
    }
}

int main(void) {
    for (int i = 0; i < N; i++) {
        key[i] = i * 7919 % 31 - 3;
        perm[i] = i * 9 % N;
        x[i] = (i * 37 % 64) * 0.25;
    }
    atomics(N, B);
    through_a_call(N, B);
    double c = criticals(N, B);
    captures(N);
    in_order(N);
    double last = of_each_thread(N) + by_clauses(N);
    nested(N, B);
    printf("%g %g\n", c, last);
    for (int b = 0; b < B; b++)
        printf("%d %d %d %g %g\n", h[b], g[b], held[b], sums[b], best[b]);
    for (int i = 0; i < N; i += 7)
        printf("%g %g %g\n", y[i], z[i], w[i]);
    return 0;
}
