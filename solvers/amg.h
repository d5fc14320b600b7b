/* The levels of a matrix for a cycle of algebraic multigrid by smoothed aggregation (pcg_amg.c), made on the host.
 *
 * Unknowns that are strongly coupled become one of the next level, level after level, until so few are left that the inverse
 * of their matrix is at hand. Each level has its matrix A, what interpolates from the next one, P, and P', and its matrix is
 * P' A P of the one before. In the end they stand behind one another in the same arrays.
 */
#ifndef AMG_H
#define AMG_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Unknowns are coupled strongly if an entry is so much of the mean of their diagonals; half as much at each coarser level. */
#define STRONG 0.08
/* Weight of a step of Jacobi's method, over the largest eigenvalue; from 2 on a cycle is not definite. */
#define WEIGHT 1.5
/* A level of so many unknowns or less is the last, and has an inverse. */
#ifndef FEW
#define FEW 1000
#endif
#define MOST_LEVELS 24
/* Steps of the power method. */
#ifndef POWERS
#define POWERS 8
#endif

/* Numbers of matrices and vectors; -DSINGLE halves what an iteration moves. Sums are double in any case. */
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif

/* Numbers of the levels: a cycle is no more than a good guess. */
typedef float part;

/* A matrix in compressed rows. */
struct rows {
    int n;
    int *start, *column;
    double *value;
};

static void drop(struct rows *a) {
    free(a->start);
    free(a->column);
    free(a->value);
    *a = (struct rows){0, NULL, NULL, NULL};
}

/* A matrix with room for so many entries, of which none is set; whether there is memory for it. */
static int make(struct rows *a, int n, size_t entries) {
    a->n = n;
    a->start = calloc((size_t)n + 1, sizeof *a->start);
    a->column = malloc((entries + 1) * sizeof *a->column);
    a->value = malloc((entries + 1) * sizeof *a->value);
    return a->start && a->column && a->value;
}

/* The transposed matrix, which has m rows. */
static int transpose(const struct rows *a, int m, struct rows *t) {
    if (!make(t, m, a->start[a->n]))
        return 0;
    for (int k = 0; k < a->start[a->n]; k++)
        t->start[a->column[k] + 1]++;
    for (int j = 0; j < m; j++)
        t->start[j + 1] += t->start[j];
    for (int i = 0; i < a->n; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            int at = t->start[a->column[k]]++;
            t->column[at] = i;
            t->value[at] = a->value[k];
        }
    for (int j = m; j > 0; j--)
        t->start[j] = t->start[j - 1];
    t->start[0] = 0;
    return 1;
}

/* Twice the room for entries, where so many more have none; whether there is memory, and an `int` counts them. */
static int grow(struct rows *a, size_t *room, size_t wanted) {
    if (wanted <= *room)
        return 1;
    *room = 2 * wanted;
    int *column = realloc(a->column, *room * sizeof *column);
    a->column = column ? column : a->column;
    double *value = column ? realloc(a->value, *room * sizeof *value) : NULL;
    a->value = value ? value : a->value;
    return value && wanted < 2000000000;
}

/* The product of two matrices, of which the second has m columns. */
static int product(const struct rows *a, const struct rows *b, int m, struct rows *c) {
    int *seen = malloc(((size_t)m + 1) * sizeof *seen);
    size_t room = (size_t)a->start[a->n] + b->start[b->n];
    int has_room = seen && make(c, a->n, room), count = 0;
    for (int j = 0; has_room && j < m; j++)
        seen[j] = -1;
    for (int i = 0; has_room && i < a->n; i++) {
        int first = count;
        size_t most = 0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            most += b->start[a->column[k] + 1] - b->start[a->column[k]];
        has_room = grow(c, &room, count + (most < (size_t)m ? most : (size_t)m));
        for (int k = a->start[i]; has_room && k < a->start[i + 1]; k++) {
            double factor = a->value[k];
            for (int l = b->start[a->column[k]]; l < b->start[a->column[k] + 1]; l++) {
                int j = b->column[l];
                if (seen[j] < first) {
                    seen[j] = count;
                    c->column[count] = j;
                    c->value[count++] = factor * b->value[l];
                } else {
                    c->value[seen[j]] += factor * b->value[l];
                }
            }
        }
        c->start[i + 1] = count;
    }
    free(seen);
    return has_room;
}

/* The aggregate of each unknown, -1 for one that is strongly coupled to none; returns how many there are. An unknown whose
 * neighbours are all free takes them; who is left then joins a neighbour's; who is still left stays together. */
static int aggregate(const struct rows *a, const double *diagonal, double strong, int *of) {
    int n_aggregates = 0;
    for (int i = 0; i < a->n; i++)
        of[i] = -1;
#define IS_STRONG(i, k)                                                                                                    \
    (a->column[k] != (i) && a->value[k] * a->value[k] > strong * strong * fabs(diagonal[i] * diagonal[a->column[k]]))
    for (int i = 0; i < a->n; i++) {
        int is_free = of[i] < 0, n_strong = 0;
        for (int k = a->start[i]; is_free && k < a->start[i + 1]; k++)
            if (IS_STRONG(i, k)) {
                n_strong++;
                is_free = of[a->column[k]] < 0;
            }
        if (!is_free || n_strong == 0)
            continue;
        of[i] = n_aggregates;
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            if (IS_STRONG(i, k))
                of[a->column[k]] = n_aggregates;
        n_aggregates++;
    }
    /* Those that join now are told from the others by their sign, so that none joins one that has just joined. */
    for (int i = 0; i < a->n; i++) {
        double most = 0.0;
        if (of[i] != -1)
            continue;
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            if (IS_STRONG(i, k) && of[a->column[k]] >= 0 && fabs(a->value[k]) > most) {
                most = fabs(a->value[k]);
                of[i] = -2 - of[a->column[k]];
            }
    }
    for (int i = 0; i < a->n; i++)
        of[i] = of[i] < -1 ? -2 - of[i] : of[i];
    for (int i = 0; i < a->n; i++) {
        int n_strong = 0;
        for (int k = a->start[i]; of[i] == -1 && k < a->start[i + 1]; k++)
            if (IS_STRONG(i, k)) {
                n_strong++;
                if (of[a->column[k]] == -1)
                    of[a->column[k]] = n_aggregates;
            }
        if (n_strong > 0)
            of[i] = n_aggregates++;
    }
    return n_aggregates;
}

/* The interpolation from the aggregates: (I - weight S^-1 A) on constants, with entries that are not strong added to the
 * diagonal. */
static int interpolation(const struct rows *a, const double *diagonal, const double *sums, double strong, double weight,
                         const int *of, int n_aggregates, struct rows *p) {
    int *seen = malloc(((size_t)n_aggregates + 1) * sizeof *seen);
    int has_room = seen && make(p, a->n, (size_t)a->start[a->n] + a->n), count = 0;
    for (int j = 0; has_room && j < n_aggregates; j++)
        seen[j] = -1;
    for (int i = 0; has_room && i < a->n; i++) {
        int first = count;
        double own = diagonal[i];
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            if (a->column[k] != i && !IS_STRONG(i, k))
                own += a->value[k];
        /* Where that leaves nothing to divide by, the constant stays as it is. */
        double scale = own > 0.1 * diagonal[i] ? weight / sums[i] : 0.0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            int is_own = a->column[k] == i, j = of[a->column[k]];
            if (j < 0 || (!is_own && !IS_STRONG(i, k)))
                continue;
            if (seen[j] < first) {
                p->column[count] = j;
                p->value[count] = 0.0;
                seen[j] = count++;
            }
            p->value[seen[j]] += is_own ? 1.0 - scale * own : -scale * a->value[k];
        }
        p->start[i + 1] = count;
    }
#undef IS_STRONG
    free(seen);
    return has_room;
}

/* The diagonal, and S, the sums of the rows' magnitudes. Returns what is about the largest eigenvalue of S^-1 A: 1, which none
 * exceeds (Gershgorin), or what some steps of the power method find, and a tenth, if that is less; 0 if an entry of the
 * diagonal is not positive, and -1 without memory. */
static double scaled_bound(const struct rows *a, double *diagonal, double *sums) {
    double found = 0.0, length = 0.0;
    unsigned state = 1;
    for (int i = 0; i < a->n; i++) {
        diagonal[i] = 0.0;
        sums[i] = 0.0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            sums[i] += fabs(a->value[k]);
            diagonal[i] += a->column[k] == i ? a->value[k] : 0.0;
        }
        if (!(diagonal[i] > 0.0))
            return 0.0;
    }
    double *v = malloc(((size_t)a->n + 1) * sizeof *v), *w = malloc(((size_t)a->n + 1) * sizeof *w);
    for (int i = 0; v && i < a->n; i++) {
        state = 1664525u * state + 1013904223u;
        v[i] = (state >> 8) / 16777216.0 - 0.5;
        length += sums[i] * v[i] * v[i];
    }
    /* In the inner product of S, in which S^-1 A is symmetric. */
    for (int step = 0; v && w && step < POWERS; step++) {
        double next = 0.0;
        for (int i = 0; i < a->n; i++) {
            double sum = 0.0;
            for (int k = a->start[i]; k < a->start[i + 1]; k++)
                sum += a->value[k] * v[a->column[k]];
            w[i] = sum / sums[i];
            next += w[i] * sum;
        }
        found = sqrt(next / length);
        length = next;
        double *other = v;
        v = w;
        w = other;
    }
    double about = v && w ? 1.1 * found : -1.0;
    free(v);
    free(w);
    return about < 1.0 ? about : 1.0;
}

/* The inverse of a symmetric positive definite matrix of few rows, dense: L L' = A by Cholesky, X = L^-1, X' X. Whether there
 * is one, and memory. Inner loops go along rows. */
static int invert(const struct rows *a, real *inverse) {
    size_t n = a->n;
    double *l = calloc(n * n + 1, sizeof *l), *x = calloc(n * n + 1, sizeof *x), *column = malloc((n + 1) * sizeof *column);
    int is_good = l && x && column;
    for (int i = 0; is_good && i < a->n; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            l[i * n + a->column[k]] += a->value[k];
    for (size_t k = 0; is_good && k < n; k++) {
        double pivot = l[k * n + k];
        is_good = pivot > 0.0;
        for (size_t i = k; i < n; i++)
            column[i] = l[i * n + k] /= sqrt(pivot);
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = k + 1; j <= i; j++)
                l[i * n + j] -= column[i] * column[j];
    }
    for (size_t i = 0; is_good && i < n; i++) {
        for (size_t k = 0; k < i; k++)
            for (size_t j = 0; j <= k; j++)
                x[i * n + j] -= l[i * n + k] * x[k * n + j];
        for (size_t j = 0; j < i; j++)
            x[i * n + j] /= l[i * n + i];
        x[i * n + i] = 1.0 / l[i * n + i];
    }
    for (size_t i = 0; is_good && i < n * n; i++)
        l[i] = 0.0;
    for (size_t k = 0; is_good && k < n; k++)
        for (size_t i = 0; i <= k; i++)
            for (size_t j = 0; j <= i; j++)
                l[i * n + j] += x[k * n + i] * x[k * n + j];
    for (size_t i = 0; is_good && i < n; i++)
        for (size_t j = 0; j <= i; j++)
            inverse[i * n + j] = inverse[j * n + i] = l[i * n + j];
    free(l);
    free(x);
    free(column);
    return is_good;
}

/* Levels of a matrix: of the first of them the caller has the matrix. */
struct levels {
    int count, first[MOST_LEVELS + 1];
    struct rows matrix[MOST_LEVELS], up[MOST_LEVELS], down[MOST_LEVELS];
    double *diagonal[MOST_LEVELS], *sums[MOST_LEVELS], bound[MOST_LEVELS];
};

/* Adds a level below the last of some; whether there is one. *has_memory is cleared where it is missing. */
static int coarsen(struct levels *h, double strong, int *has_memory) {
    int l = h->count - 1, n = h->matrix[l].n, is_smaller = 0;
    int *of = malloc(((size_t)n + 1) * sizeof *of);
    struct rows half = {0, NULL, NULL, NULL};
    *has_memory = of != NULL;
    int n_next = of ? aggregate(&h->matrix[l], h->diagonal[l], strong, of) : 0;
    if (n_next > 0 && n_next < 0.8 * n) {
        h->diagonal[l + 1] = malloc(((size_t)n_next + 1) * sizeof(double));
        h->sums[l + 1] = malloc(((size_t)n_next + 1) * sizeof(double));
        *has_memory = h->diagonal[l + 1] && h->sums[l + 1] &&
                      interpolation(&h->matrix[l], h->diagonal[l], h->sums[l], strong, 4.0 / (3.0 * h->bound[l]), of,
                                    n_next, &h->up[l]) &&
                      transpose(&h->up[l], n_next, &h->down[l]) && product(&h->matrix[l], &h->up[l], n_next, &half) &&
                      product(&h->down[l], &half, n_next, &h->matrix[l + 1]);
        h->bound[l + 1] = *has_memory ? scaled_bound(&h->matrix[l + 1], h->diagonal[l + 1], h->sums[l + 1]) : 0.0;
        *has_memory = *has_memory && h->bound[l + 1] >= 0.0;
        is_smaller = h->bound[l + 1] > 0.0;
        if (!is_smaller) {
            drop(&h->up[l]);
            drop(&h->down[l]);
            drop(&h->matrix[l + 1]);
            free(h->diagonal[l + 1]);
            free(h->sums[l + 1]);
            h->diagonal[l + 1] = h->sums[l + 1] = NULL;
        }
        h->count += is_smaller;
    }
    drop(&half);
    free(of);
    return is_smaller;
}

/* Matrices of several levels behind one another, their rows from `row` on and their columns counted from those of `column`. */
static void append(const struct rows *a, int row, int column, int *start, int *columns, part *values) {
    int count = start[row];
    for (int i = 0; i < a->n; i++) {
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            columns[count] = column + a->column[k];
            values[count++] = a->value[k];
        }
        start[row + i + 1] = count;
    }
}

/* All that the iterations take of a matrix; `failed` is the row whose diagonal is not positive, or -1. */
struct prepared {
    int failed, total, n_levels, widest, rest, n_last, n_direct, first[MOST_LEVELS + 1];
    int *c_start, *c_column, *p_start, *p_column, *r_start, *r_column;
    part *c_value, *p_value, *r_value;
    real *inverse, *direct;
};

void pcg_amg_free(void *prepared) {
    struct prepared *m = prepared;
    if (m) {
        free(m->c_start);
        free(m->c_column);
        free(m->c_value);
        free(m->p_start);
        free(m->p_column);
        free(m->p_value);
        free(m->r_start);
        free(m->r_column);
        free(m->r_value);
        free(m->inverse);
        free(m->direct);
    }
    free(m);
}

/* Puts the levels behind one another; whether there is memory. */
static int join(const struct levels *h, struct prepared *m) {
    int n = h->matrix[0].n, last = h->count - 1;
    size_t of_c = 1, of_p = 1;
    for (int l = 0; l <= last; l++) {
        m->first[l + 1] = m->first[l] + h->matrix[l].n;
        of_c += l > 0 ? h->matrix[l].start[h->matrix[l].n] : 0;
        of_p += l < last ? h->up[l].start[h->matrix[l].n] : 0;
        m->widest = l > 0 && h->matrix[l].n > m->widest ? h->matrix[l].n : m->widest;
    }
    m->n_levels = h->count;
    m->total = m->first[last + 1];
    m->rest = m->first[last];
    m->n_last = last > 0 ? h->matrix[last].n : 0;
    m->n_direct = m->n_last <= FEW ? m->n_last : 0;
    size_t below = (size_t)m->total - n + 1;
    m->c_start = calloc(below, sizeof(int)), m->c_column = malloc(of_c * sizeof(int));
    m->p_start = calloc((size_t)m->total + 1, sizeof(int)), m->p_column = malloc(of_p * sizeof(int));
    m->r_start = calloc(below, sizeof(int)), m->r_column = malloc(of_p * sizeof(int));
    m->c_value = malloc(of_c * sizeof(part)), m->p_value = malloc(of_p * sizeof(part));
    m->r_value = malloc(of_p * sizeof(part)), m->inverse = malloc(((size_t)m->total + 1) * sizeof(real));
    m->direct = malloc(((size_t)m->n_direct * m->n_direct + 1) * sizeof(real));
    if (!m->c_start || !m->c_column || !m->c_value || !m->p_start || !m->p_column || !m->p_value || !m->r_start ||
        !m->r_column || !m->r_value || !m->inverse || !m->direct)
        return 0;
    for (int l = 0; l <= last; l++) {
        if (l > 0)
            append(&h->matrix[l], m->first[l] - n, m->first[l], m->c_start, m->c_column, m->c_value);
        if (l < last) {
            append(&h->up[l], m->first[l], m->first[l + 1], m->p_start, m->p_column, m->p_value);
            append(&h->down[l], m->first[l + 1] - n, m->first[l], m->r_start, m->r_column, m->r_value);
        }
        for (int i = 0; i < h->matrix[l].n; i++)
            m->inverse[m->first[l] + i] = WEIGHT / (h->bound[l] * h->sums[l][i]);
    }
    for (int i = m->rest; i < m->total; i++)
        m->p_start[i + 1] = m->p_start[m->rest];
    if (m->n_direct > 0 && !invert(&h->matrix[last], m->direct))
        m->n_direct = 0;
    return 1;
}

/* The levels of a matrix, for pcg_amg_solve; NULL without memory. */
void *pcg_amg_prepare(int n, const int *start, const int *column, const real *value) {
    struct levels *h = calloc(1, sizeof *h);
    struct prepared *m = calloc(1, sizeof *m);
    double strong = STRONG;
    int is_done = 0, has_memory = h && m && make(&h->matrix[0], n, start[n]);
    if (has_memory) {
        h->diagonal[0] = malloc(((size_t)n + 1) * sizeof(double));
        h->sums[0] = malloc(((size_t)n + 1) * sizeof(double));
        has_memory = h->diagonal[0] && h->sums[0];
    }
    if (has_memory) {
        memcpy(h->matrix[0].start, start, ((size_t)n + 1) * sizeof *start);
        memcpy(h->matrix[0].column, column, start[n] * sizeof *column);
        for (int k = 0; k < start[n]; k++)
            h->matrix[0].value[k] = value[k];
        h->count = 1;
        h->bound[0] = scaled_bound(&h->matrix[0], h->diagonal[0], h->sums[0]);
        m->failed = -1;
        if (h->bound[0] > 0.0) {
            while (h->count < MOST_LEVELS && h->matrix[h->count - 1].n > FEW && coarsen(h, strong, &has_memory))
                strong /= 2.0;
            is_done = has_memory && join(h, m);
        } else if (h->bound[0] == 0.0) {
            m->failed = 0;
            while (h->diagonal[0][m->failed] > 0.0)
                m->failed++;
            is_done = 1;
        }
    }
    for (int l = 0; h && l < MOST_LEVELS; l++) {
        drop(&h->matrix[l]);
        drop(&h->up[l]);
        drop(&h->down[l]);
        free(h->diagonal[l]);
        free(h->sums[l]);
    }
    free(h);
    if (!is_done) {
        pcg_amg_free(m);
        m = NULL;
    }
    return m;
}

#endif
