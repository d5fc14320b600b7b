/* Sums over elements that the data choose, added to what an earlier region has left on the device: y is what it was where
   some subscript turns out to lead out of the memory behind its pointer. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 5000
#endif
#define MARGIN 16

typedef struct {
    int n;
    int *from;
    double *w, *x, *y;
} Gather;

static void scale(Gather *g, double by) {
    for (int i = 0; i < g->n; i++)
        g->y[i] = by * g->y[i] + i % 5;
}

static void gather(Gather *g) {
    for (int i = 0; i < g->n; i++) // original: a subscript leads out of the memory that is known behind its pointer
        g->y[i] += g->w[i] * g->x[g->from[i]];
}

/* Keeps the loop over time on the host. */
static int number_of(const char *text) { return atoi(text); }

int main(int argc, char **argv) {
    Gather g = {N, malloc(N * sizeof(int)), malloc(N * sizeof(double)), NULL, malloc(N * sizeof(double))};
    double *block = malloc((N + MARGIN) * sizeof(double));
    g.x = block + MARGIN;
    for (int i = 0; i < N; i++) {
        g.from[i] = (i * 7 + 3) % N;
        g.w[i] = 1.0 / (1 + i % 11);
        g.y[i] = i % 13;
    }
    for (int i = 0; i < N + MARGIN; i++)
        block[i] = i % 17 - 8;
    for (int t = 0; t < 8; t++) {
        scale(&g, 0.5);
        /* Before the pointer, which is all that is known on the device. */
        g.from[N / 2] = t == 3 || t == 6 ? -5 : t;
        if (t > 90)
            t = number_of("5"); // decline: what it is given for `text` is not a place in an array
        gather(&g);
        gather(&g);
        if (t % 4 == 3)
            printf("%.12g %.12g\n", g.y[N / 2], g.y[t]);
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += g.y[i];
    printf("%.12g\n", sum);
    free(g.from), free(g.w), free(block), free(g.y);
    return argc > 1000 ? number_of(argv[1]) : 0;
}
