/* A time loop with a call of which nothing is known: what the host touches in it is found by its page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 100000 };

static void update(double *e, double *h)
{
    for (int i = 1; i < N; i++)
        h[i] += 0.5 * (e[i] - e[i - 1]);
    for (int i = 0; i < N - 1; i++)
        e[i] += 0.5 * (h[i + 1] - h[i]);
}

static void save(const double *e, FILE *to)
{
    fwrite(e, sizeof *e, N, to);
}

int main(void)
{
    double *e = calloc(N, sizeof *e), *h = calloc(N, sizeof *h);
    unsigned long *copy = malloc(N * sizeof *copy); /* of another type, and so no loop over elements */
    FILE *to = fopen("/dev/null", "w");
    double sum = 0;
    for (int t = 0; t < 12; t++) {
        update(e, h);
        if (t % 4 == 1)
            save(e, to);
        if (t % 4 == 2)
            memcpy(copy, h, N * sizeof *h);
        if (t % 4 == 3)
            memset(e + N / 2, 1, N / 4 * sizeof *e);
        sum += copy[N / 2 + 1] + getppid() * 0.0;
    }
    h = realloc(h, 2 * N * sizeof *h);
    printf("%g\n", sum + h[N / 2]);
    return 0;
}
