/* The levels of a matrix for a cycle of algebraic multigrid by smoothed aggregation (pcg_amg.c), made on the host.
 *
 * Unknowns that are strongly coupled become one of the next level, level after level, until so few are left that the inverse
 * of their matrix is at hand. Each level has its matrix A, what interpolates from the next one, P, and P', and its matrix is
 * P' A P of the one before. In the end they stand behind one another in the same arrays.
 *
 * Loops that a compiler for OpenMP shares out among threads go through blocks of rows, the same ones whatever threads there
 * are, so that sums are the same, too. They stay on the host.
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
/* Rows of a block: as many as two to this power. */
#define BITS 12
#define BLOCK (1 << BITS)
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

/* The rows of a product from `from` on, at most a block, of which b has m columns; b stands in parts of as many rows as two to
 * the power of `bits`. */
static int block_of_product(const struct rows *a, int from, const struct rows *b, int bits, int m, struct rows *c) {
    int to = a->n - from < BLOCK ? a->n : from + BLOCK, mask = (int)((1u << bits) - 1), count = 0, room = 0;
    /* One more than the place of each column in the row that had it last. */
    int *seen = calloc((size_t)m + 1, sizeof *seen), has_room = seen && make(c, to - from, 0);
    for (int i = from; has_room && i < to; i++) {
        int first = count, most = 0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            const int *start = &b[a->column[k] >> bits].start[a->column[k] & mask];
            most += start[1] - start[0];
        }
        if (count + (most < m ? most : m) > room) {
            room = 2 * (count + (most < m ? most : m));
            int *column = realloc(c->column, room * sizeof *column);
            c->column = column ? column : c->column;
            double *value = realloc(c->value, room * sizeof *value);
            c->value = value ? value : c->value;
            has_room = column && value;
        }
        for (int k = a->start[i]; has_room && k < a->start[i + 1]; k++) {
            const struct rows *of_b = &b[a->column[k] >> bits];
            int row = a->column[k] & mask, end = of_b->start[row + 1];
            double factor = a->value[k];
            for (int l = of_b->start[row]; l < end; l++) {
                int j = of_b->column[l];
                if (seen[j] <= first) {
                    c->column[count] = j;
                    c->value[count++] = factor * of_b->value[l];
                    seen[j] = count;
                } else {
                    c->value[seen[j] - 1] += factor * of_b->value[l];
                }
            }
        }
        c->start[i - from + 1] = count;
    }
    free(seen);
    return has_room;
}

/* The product of two matrices, of which the second has m columns, in parts of a block of rows each; NULL without memory for
 * them, and *n_without of them lack it. */
#pragma rt host
static struct rows *product(const struct rows *a, const struct rows *b, int bits, int m, int *n_without) {
    struct rows *c = calloc((size_t)a->n / BLOCK + 1, sizeof *c);
    int n = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : n) // decline: cannot be called on the device
    for (int p = 0; p < (c ? (a->n + BLOCK - 1) / BLOCK : 0); p++)
        n += !block_of_product(a, p * BLOCK, b, bits, m, &c[p]);
    *n_without = n;
    return c;
}

static void drop_parts(struct rows *parts, int n) {
    for (int p = 0; parts && p < n / BLOCK + 1; p++)
        drop(&parts[p]);
    free(parts);
}

/* One matrix of n rows of the parts of another, which are gone then; whether there is memory, as none of the parts lacks it,
 * and an `int` counts the entries. */
#pragma rt host
static int unite(struct rows *parts, int n, int n_without, struct rows *a) {
    int n_parts = parts && n_without == 0 ? (n + BLOCK - 1) / BLOCK : 0;
    size_t entries = 0;
    for (int p = 0; p < n_parts; p++)
        entries += parts[p].start[parts[p].n];
    int is_good = parts && n_without == 0 && entries < 2000000000 && make(a, n, entries);
    for (int p = 0; is_good && p < n_parts; p++)
        a->start[p * BLOCK + parts[p].n] = a->start[p * BLOCK] + parts[p].start[parts[p].n];
#pragma omp parallel for schedule(dynamic) // decline: a structure in an array
    for (int p = 0; p < (is_good ? n_parts : 0); p++) {
        int first = a->start[p * BLOCK];
        for (int i = 1; i < parts[p].n; i++)
            a->start[p * BLOCK + i] = first + parts[p].start[i];
        for (int k = 0; k < parts[p].start[parts[p].n]; k++) {
            a->column[first + k] = parts[p].column[k];
            a->value[first + k] = parts[p].value[k];
        }
    }
    drop_parts(parts, n);
    return is_good;
}

/* P' A P, where P has m columns. */
static int galerkin(const struct rows *down, const struct rows *a, const struct rows *up, int m, struct rows *c) {
    int n_without = 0;
    /* All rows of P are one part. */
    struct rows *half = product(a, up, 31, m, &n_without), *parts = NULL;
    if (half && n_without == 0)
        parts = product(down, half, BITS, m, &n_without);
    drop_parts(half, a->n);
    return unite(parts, m, n_without, c);
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

/* The rows of an interpolation from `from` on, at most a block: see interpolation. */
static int block_of_interpolation(const struct rows *a, int from, const double *diagonal, const double *sums, double strong,
                                  double weight, const int *of, int n_aggregates, struct rows *p) {
    int to = a->n - from < BLOCK ? a->n : from + BLOCK, count = 0;
    /* One more than the place of each aggregate in the row that had it last. */
    int *seen = calloc((size_t)n_aggregates + 1, sizeof *seen);
    int has_room = seen && make(p, to - from, (size_t)a->start[to] - a->start[from]);
    for (int i = from; has_room && i < to; i++) {
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
            if (seen[j] <= first) {
                p->column[count] = j;
                p->value[count++] = 0.0;
                seen[j] = count;
            }
            p->value[seen[j] - 1] += is_own ? 1.0 - scale * own : -scale * a->value[k];
        }
        p->start[i - from + 1] = count;
    }
    free(seen);
    return has_room;
}
#undef IS_STRONG

/* The interpolation from the aggregates: (I - weight S^-1 A) on constants, with entries that are not strong added to the
 * diagonal. */
#pragma rt host
static int interpolation(const struct rows *a, const double *diagonal, const double *sums, double strong, double weight,
                         const int *of, int n_aggregates, struct rows *p) {
    struct rows *parts = calloc((size_t)a->n / BLOCK + 1, sizeof *parts);
    int n_without = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : n_without) // decline: cannot be called on the device
    for (int b = 0; b < (parts ? (a->n + BLOCK - 1) / BLOCK : 0); b++)
        n_without += !block_of_interpolation(a, b * BLOCK, diagonal, sums, strong, weight, of, n_aggregates, &parts[b]);
    return unite(parts, a->n, n_without, p);
}

/* The diagonal, and S, the sums of the rows' magnitudes. Returns what is about the largest eigenvalue of S^-1 A: 1, which none
 * exceeds (Gershgorin), or what some steps of the power method find, and a tenth, if that is less; 0 if an entry of the
 * diagonal is not positive, and -1 without memory. */
#pragma rt host
static double scaled_bound(const struct rows *a, double *diagonal, double *sums) {
    double found = 0.0, length = 0.0;
    unsigned state = 1;
    int n_blocks = (a->n + BLOCK - 1) / BLOCK, n_wrong = 0;
#pragma omp parallel for reduction(+ : n_wrong)
    for (int i = 0; i < a->n; i++) {
        double own = 0.0, sum = 0.0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            sum += fabs(a->value[k]);
            own += a->column[k] == i ? a->value[k] : 0.0;
        }
        diagonal[i] = own;
        sums[i] = sum;
        n_wrong += !(own > 0.0);
    }
    if (n_wrong > 0)
        return 0.0;
    double *v = malloc(((size_t)a->n + 1) * sizeof *v), *w = malloc(((size_t)a->n + 1) * sizeof *w);
    double *shares = malloc(((size_t)n_blocks + 1) * sizeof *shares);
    int has_memory = v && w && shares;
    for (int i = 0; has_memory && i < a->n; i++) {
        state = 1664525u * state + 1013904223u;
        v[i] = (state >> 8) / 16777216.0 - 0.5;
        length += sums[i] * v[i] * v[i];
    }
    /* In the inner product of S, in which S^-1 A is symmetric. */
    for (int step = 0; has_memory && step < POWERS; step++) {
        double next = 0.0;
#pragma omp parallel for
        for (int p = 0; p < n_blocks; p++) {
            shares[p] = 0.0;
            for (int i = p * BLOCK; i < a->n && i < (p + 1) * BLOCK; i++) {
                double sum = 0.0;
                for (int k = a->start[i]; k < a->start[i + 1]; k++)
                    sum += a->value[k] * v[a->column[k]];
                w[i] = sum / sums[i];
                shares[p] += w[i] * sum;
            }
        }
        for (int p = 0; p < n_blocks; p++)
            next += shares[p];
        found = sqrt(next / length);
        length = next;
        double *other = v;
        v = w;
        w = other;
    }
    double about = has_memory ? 1.1 * found : -1.0;
    free(v);
    free(w);
    free(shares);
    return about < 1.0 ? about : 1.0;
}

/* The sum of the products of two vectors, in four parts that wait for none of each other. */
static double dot(size_t n, const double *x, const double *y) {
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        a += x[k] * y[k];
        b += x[k + 1] * y[k + 1];
        c += x[k + 2] * y[k + 2];
        d += x[k + 3] * y[k + 3];
    }
    for (; k < n; k++)
        a += x[k] * y[k];
    return a + b + (c + d);
}

/* The inverse of a symmetric positive definite matrix of few rows, dense: L L' = A by Cholesky, X = L^-1 by columns, which
 * are rows of x, and X' X. Whether there is one, and memory. */
#pragma rt host
static int invert(const struct rows *a, real *inverse) {
    size_t n = a->n;
    double *l = calloc(n * n + 1, sizeof *l), *x = calloc(n * n + 1, sizeof *x);
    int is_good = l && x;
    for (size_t i = 0; is_good && i < n; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            l[i * n + a->column[k]] += a->value[k];
    for (size_t j = 0; is_good && j < n; j++) {
        double pivot = l[j * n + j] - dot(j, &l[j * n], &l[j * n]);
        is_good = pivot > 0.0;
        l[j * n + j] = sqrt(pivot);
        for (size_t i = j + 1; i < n; i++)
            l[i * n + j] = (l[i * n + j] - dot(j, &l[i * n], &l[j * n])) / l[j * n + j];
    }
#pragma omp parallel for schedule(dynamic)
    for (size_t j = 0; j < (is_good ? n : 0); j++) {
        x[j * n + j] = 1.0 / l[j * n + j];
        for (size_t i = j + 1; i < n; i++)
            x[j * n + i] = -dot(i - j, &l[i * n + j], &x[j * n + j]) / l[i * n + i];
    }
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < (is_good ? n : 0); i++)
        for (size_t j = 0; j <= i; j++)
            inverse[i * n + j] = inverse[j * n + i] = dot(n - i, &x[i * n + i], &x[j * n + i]);
    free(l);
    free(x);
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
    *has_memory = of != NULL;
    int n_next = of ? aggregate(&h->matrix[l], h->diagonal[l], strong, of) : 0;
    if (n_next > 0 && n_next < 0.8 * n) {
        h->diagonal[l + 1] = malloc(((size_t)n_next + 1) * sizeof(double));
        h->sums[l + 1] = malloc(((size_t)n_next + 1) * sizeof(double));
        *has_memory = h->diagonal[l + 1] && h->sums[l + 1] &&
                      interpolation(&h->matrix[l], h->diagonal[l], h->sums[l], strong, 4.0 / (3.0 * h->bound[l]), of,
                                    n_next, &h->up[l]) &&
                      transpose(&h->up[l], n_next, &h->down[l]) &&
                      galerkin(&h->down[l], &h->matrix[l], &h->up[l], n_next, &h->matrix[l + 1]);
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
    free(of);
    return is_smaller;
}

/* Matrices of several levels behind one another, their rows from `row` on and their columns counted from those of `column`. */
#pragma rt host
static void append(const struct rows *a, int row, int column, int *start, int *columns, part *values) {
    int first = start[row];
#pragma omp parallel for
    for (int i = 0; i < a->n; i++) {
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            columns[first + k] = column + a->column[k];
            values[first + k] = a->value[k];
        }
        start[row + i + 1] = first + a->start[i + 1];
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

/* The levels of a matrix, for pcg_amg_solve; NULL without memory. The finest one is the caller's, but for its precision. */
void *pcg_amg_prepare(int n, const int *start, const int *column, const real *value) {
    struct levels *h = calloc(1, sizeof *h);
    struct prepared *m = calloc(1, sizeof *m);
    int is_double = sizeof *value == sizeof(double), is_done = 0;
    double strong = STRONG, *own = is_double ? (double *)value : malloc(((size_t)start[n] + 1) * sizeof *own);
    int has_memory = h && m && own;
    if (has_memory) {
        h->matrix[0] = (struct rows){n, (int *)start, (int *)column, own};
        h->diagonal[0] = malloc(((size_t)n + 1) * sizeof(double));
        h->sums[0] = malloc(((size_t)n + 1) * sizeof(double));
        has_memory = h->diagonal[0] && h->sums[0];
    }
    if (has_memory) {
        for (int k = 0; !is_double && k < start[n]; k++)
            own[k] = value[k];
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
        if (l > 0)
            drop(&h->matrix[l]);
        drop(&h->up[l]);
        drop(&h->down[l]);
        free(h->diagonal[l]);
        free(h->sums[l]);
    }
    if (!is_double)
        free(own);
    free(h);
    if (!is_done) {
        pcg_amg_free(m);
        m = NULL;
    }
    return m;
}

#endif
