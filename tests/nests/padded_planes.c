/* Planes with room behind their rows, as programs have them that begin each plane at a multiple of some bytes. */
// original: 1 call of smooth, whose rows lie in each other
// original: 1 call of vectors, whose elements lie further apart than vectors have room
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int dim, pencil, plane;
};

/* What lies between rows and behind planes stays as it is. */
static void smooth(const struct grid *g, const unsigned *old, unsigned *new)
{
    int dim = g->dim, pencil = g->pencil, plane = g->plane;
    for (int k = 1; k < dim - 1; k++)
        for (int j = 1; j < dim - 1; j++)
            for (int i = 1; i < dim - 1; i++) {
                int at = i + j * pencil + k * plane;
                new[at] = 6 * old[at] - old[at - 1] - old[at + 1] - old[at - pencil] - old[at + pencil] - old[at - plane] -
                          old[at + plane];
            }
}

static void fill(const struct grid *g, unsigned *x)
{
    for (int k = 0; k < g->dim; k++)
        for (int j = 0; j < g->dim; j++)
            for (int i = 0; i < g->dim; i++) x[i + j * g->pencil + k * g->plane] = i + 10 * j + 100 * k;
}

/* Every other cell, plane and row of a finer grid. */
static void coarser(const struct grid *f, const unsigned *fine, const struct grid *c, unsigned *coarse)
{
    int dim = c->dim, fp = f->pencil, fpl = f->plane, cp = c->pencil, cpl = c->plane;
    for (int k = 0; k < dim; k++)
        for (int j = 0; j < dim; j++)
            for (int i = 0; i < dim; i++)
                coarse[i + j * cp + k * cpl] = fine[2 * i + 2 * j * fp + 2 * k * fpl] + fine[2 * i + 1 + 2 * j * fp + 2 * k * fpl];
}

/* A value that is handed on along k, and sums of rows into their first cells: both in place. */
static void columns(int n, int pencil, int plane, unsigned *x)
{
    for (int k = 1; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) x[k * plane + j * pencil + i] += 3 * x[(k - 1) * plane + j * pencil + i];
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 1; i < n; i++) x[k * plane + j * pencil] += x[k * plane + j * pencil + i];
}

/* The last of a plane is not the last of its last row where there is room behind it. */
static void last(int n, int pencil, int plane, unsigned *x)
{
    for (int k = 1; k <= n; k++)
        for (int j = 0; j < n; j++) x[k * plane + j * pencil] = x[k * plane - 1] + j;
}

/* Four dimensions, each with room behind it. */
static void deep(int n, int s1, int s2, int s3, const unsigned *a, unsigned *c)
{
    for (int l = 0; l < n; l++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++)
                    c[l * s3 + k * s2 + j * s1 + i] += a[l * s3 + k * s2 + j * s1 + i] + a[l * s3 + k * s2 + i] + a[i];
}

/* One vector, or several with elements apart: where there is one, nothing is asked of how they lie. */
static void vectors(int n, int many, int apart, int next, const unsigned *a, unsigned *y)
{
    for (int i = 0; i < n; i++) {
        if (many == 1)
            y[i] = y[i] * 3u + a[i];
        else
            for (int j = 0; j < many; j++) y[j * next + i * apart] = y[j * next + i * apart] * 5u + a[i] + j;
    }
}

/* The program's own quotient is a size like any other. */
static void rounded(int n, int pencil, int plane, unsigned *x)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) x[k * (plane / pencil) * pencil + j * pencil + i] ^= x[k * plane + j * pencil + i] & 1u;
}

enum { ALL = 20000 };
static unsigned *a, *b;

static void begin(void)
{
    for (int i = 0; i < ALL; i++) a[i] = i % 23, b[i] = i % 19;
}

static void show(const char *what)
{
    unsigned h = 0;
    for (int i = 0; i < ALL; i++) h = h * 31 + a[i] * 7 + b[i];
    printf("%s %u\n", what, h);
}

int main(void)
{
    struct grid padded = {12, 14, 173}, dense = {12, 12, 144}, coarse = {6, 7, 45}, short_of_room = {12, 14, 150};
    a = malloc(ALL * sizeof *a);
    b = malloc(ALL * sizeof *b);
    begin();
    smooth(&padded, a, b);
    smooth(&dense, a, b);
    smooth(&short_of_room, a, b);
    show("smooth");
    fill(&padded, a);
    fill(&dense, b);
    show("fill");
    coarser(&padded, a, &coarse, b);
    show("coarser");
    columns(9, 10, 97, a);
    show("columns");
    last(7, 8, 60, a);
    last(7, 8, 56, a);
    show("last");
    deep(5, 6, 37, 230, a, b);
    show("deep");
    vectors(50, 1, 1, 50, b, a);
    vectors(50, 1, 0, 0, b, a);
    vectors(50, 3, 4, 1, b, a);
    vectors(50, 3, 1, 50, b, a);
    show("vectors");
    rounded(6, 8, 60, a);
    show("rounded");
    return 0;
}
