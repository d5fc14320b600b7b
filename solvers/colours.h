/* Rows and columns of a matrix, numbered colour by colour on the host (sor_csr.c, incomplete.h).
 *
 * The unknowns are coloured so that no equation has two of one colour: those of one colour depend on the others alone. On a
 * grid these are the red and the black points. Those of one colour then are neighbours in memory. Loops that a compiler for
 * OpenMP shares out among threads give the same whatever threads there are. They stay on the host.
 */
#ifndef COLOURS_H
#define COLOURS_H

#include <stdlib.h>

/* Rows that a thread sorts at a time. */
#define BLOCK 4096

/* Numbers of matrices and vectors; -DSINGLE halves what an iteration moves. Sums are double in any case. */
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif

/* A matrix in compressed rows, sorted by colour: place[i] is the new number of i, first[c] that of the first row of colour c,
 * and `widest` the rows of the most common one. A row has its entries in the order of their colours: those of earlier ones,
 * from middle[i] on its diagonal, where it has one, and those of later ones; columns ascend where they did (is_ascending). */
struct coloured {
    int n_colours, widest, is_ascending, *first, *place, *start, *middle, *column;
    real *value;
};

/* A colour for each unknown that no neighbour has, where neighbours share an equation's entry in either direction. An unknown
 * is one level above the highest of its neighbours before it, and takes the first free colour from its level on, round `cycle`
 * of them, and then of the others: the more there are, the nearer is the order of the colours to that of the unknowns (Doi
 * and Washio, 1999); with 1 each takes the least. 64 colours at a time are bits of a word. Returns the number of colours, or
 * -1 without memory. */
static int paint(int n, const int *start, const int *column, int cycle, int *colour) {
    unsigned long long *taken = malloc(((size_t)n + 1) * sizeof *taken);
    int *level = calloc((size_t)n + 1, sizeof *level), n_colours = taken && level ? 0 : -1, n_left = n;
    for (int i = 0; i < n; i++)
        colour[i] = -1;
    for (int base = 0; n_colours >= 0 && n_left > 0; base += 64) {
        for (int i = 0; i < n; i++)
            taken[i] = 0;
        for (int i = 0; i < n; i++) {
            if (colour[i] >= 0)
                continue;
            for (int k = start[i]; k < start[i + 1]; k++) {
                int j = column[k];
                if (j < i && colour[j] >= base)
                    taken[i] |= 1ull << (colour[j] - base);
                if (j < i && level[j] >= level[i])
                    level[i] = level[j] + 1;
            }
            if (!~taken[i])
                continue;
            int c = level[i] % cycle;
            for (int tried = 0; tried < cycle && taken[i] >> c & 1; tried++)
                c = (c + 1) % cycle;
            while (taken[i] >> c & 1)
                c++;
            for (int k = start[i]; k < start[i + 1]; k++) {
                int j = column[k];
                if (j > i)
                    taken[j] |= 1ull << c;
                if (j > i && level[j] <= level[i])
                    level[j] = level[i] + 1;
            }
            colour[i] = base + c;
            n_colours = base + c + 1 > n_colours ? base + c + 1 : n_colours;
            n_left--;
        }
    }
    free(taken);
    free(level);
    return n_colours;
}

/* Sorts the entries of some rows by colour; whether there is memory. */
static int sort_entries(int from, int to, const int *start, const int *column, const real *value, const int *colour,
                        struct coloured *s) {
    int n_colours = s->n_colours, *next = malloc(((size_t)n_colours + 1) * sizeof *next);
    for (int i = from; next && i < to; i++) {
        for (int c = 0; c <= n_colours; c++)
            next[c] = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            next[colour[column[k]] + 1]++;
        next[0] = s->start[s->place[i]];
        for (int c = 0; c < n_colours; c++)
            next[c + 1] += next[c];
        s->middle[s->place[i]] = next[colour[i]];
        for (int k = start[i]; k < start[i + 1]; k++) {
            int at = next[colour[column[k]]]++;
            s->column[at] = s->place[column[k]];
            s->value[at] = value[k];
        }
    }
    free(next);
    return next != NULL;
}

/* Numbers the rows colour by colour, and unknowns too, and sorts the entries of each row by colour; next has room for as many
 * numbers as there are colours. Whether there is memory. */
#pragma rt host
static int sort_by_colour(int n, const int *start, const int *column, const real *value, const int *colour, int *next,
                          struct coloured *s) {
    int n_without = 0, n_falling = 0;
    for (int i = 0; i < n; i++)
        s->first[colour[i] + 1]++;
    for (int c = 0; c < s->n_colours; c++) {
        s->widest = s->first[c + 1] > s->widest ? s->first[c + 1] : s->widest;
        s->first[c + 1] += s->first[c];
        next[c] = s->first[c];
    }
    s->start[0] = 0;
    for (int i = 0; i < n; i++) {
        s->place[i] = next[colour[i]]++;
        s->start[s->place[i] + 1] = start[i + 1] - start[i];
    }
    for (int i = 0; i < n; i++)
        s->start[i + 1] += s->start[i];
#pragma omp parallel for reduction(+ : n_without) // decline: `malloc` is called here
    for (int p = 0; p < (n + BLOCK - 1) / BLOCK; p++)
        n_without += !sort_entries(p * BLOCK, n < (p + 1) * BLOCK ? n : (p + 1) * BLOCK, start, column, value, colour, s);
#pragma omp parallel for reduction(+ : n_falling)
    for (int i = 0; i < n; i++)
        for (int k = start[i] + 1; k < start[i + 1]; k++)
            n_falling += column[k - 1] >= column[k];
    s->is_ascending = n_falling == 0;
    return n_without == 0;
}

static void drop_coloured(struct coloured *s) {
    free(s->first);
    free(s->place);
    free(s->start);
    free(s->middle);
    free(s->column);
    free(s->value);
}

/* Colours a matrix (see paint) and sorts it; whether there is memory. */
static int make_coloured(int n, const int *start, const int *column, const real *value, int cycle, struct coloured *s) {
    size_t rows = (size_t)n + 1, entries = (size_t)start[n] + 1;
    int *colour = malloc(rows * sizeof *colour), *next = NULL, is_done = 0;
    *s = (struct coloured){0};
    s->n_colours = colour ? paint(n, start, column, cycle, colour) : -1;
    if (s->n_colours >= 0) {
        s->first = calloc((size_t)s->n_colours + 1, sizeof *s->first);
        s->place = malloc(rows * sizeof *s->place);
        s->start = malloc(rows * sizeof *s->start);
        s->middle = malloc(rows * sizeof *s->middle);
        s->column = malloc(entries * sizeof *s->column);
        s->value = malloc(entries * sizeof *s->value);
        next = malloc(((size_t)s->n_colours + 1) * sizeof *next);
        is_done = s->first && s->place && s->start && s->middle && s->column && s->value && next;
    }
    is_done = is_done && sort_by_colour(n, start, column, value, colour, next, s);
    free(colour);
    free(next);
    return is_done;
}

#endif
