/* How far memory goes behind pointers, which only the call can find out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A matrix in compressed rows. */
struct matrix {
    int n;
    int *start, *column;
    double *value;
};

struct grid {
    int nx, ny;
    double *u, *next;
    int *mask;
};

struct image {
    int w, h;
    unsigned char *pixel;
};

void product(const struct matrix *a, const double *x, double *y) {
    for (int i = 0; i < a->n; i++) {
        double sum = 0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++) sum += a->value[k] * x[a->column[k]];
        y[i] = sum;
    }
}

void gather(int n, const int *p, const double *x, double *y) {
    for (int i = 0; i < n; i++) y[i] = 2 * x[p[i]];
}

void gather_again(int n, const int *p, const double *x, double *y) {
    for (int i = 0; i < n; i++) y[i] = 3 * x[p[i]]; // original: a subscript leads out of the memory that is known behind its pointer
}

void gather_from_nowhere(int n, const int *p, const double *x, double *y) {
    for (int i = 0; i < n; i++) y[i] = 4 * x[p[i]]; // original: nothing is known of the memory behind `x`
}

void step(struct grid *g, double dt) {
    for (int j = 1; j < g->ny - 1; j++)
        for (int i = 1; i < g->nx - 1; i++) {
            int at = j * g->nx + i;
            if (g->mask[at])
                g->next[at] = g->u[at] + dt * (g->u[at + 1] + g->u[at - 1] + g->u[at + g->nx] + g->u[at - g->nx]);
        }
}

void histogram(const struct image *of, int n, int *count) {
    for (int i = 0; i < of->w * of->h; i++) {
        int b = of->pixel[i] / 3 - 2;
        if (b >= 0 && b < n) count[b]++;
    }
}

void look_up(const struct image *from, struct image *to, const unsigned char *table) {
    for (int i = 0; i < from->w * from->h; i++) to->pixel[i] = table[from->pixel[i]];
}

/* Neither ends before the other begins. */
void halves(int n, const int *c, double *x) {
    for (int i = 0; i < n; i++)
        if (c[i] > 2) x[i] = 2 * x[i] + 1;
}

/* More is said to be there than is: the last condition never holds. */
void too_far(int n, int m, const int *c, double *x) {
    for (int i = 0; i < n; i++) // original: what is known of the memory ends before what may be touched behind `x`
        if (i < m && c[i] >= 0) x[i] = i + 0.5;
    for (int i = 0; i < n; i++)
        if (c[i] == 100) x[64 * i] = 1;
}

/* Elements that a condition passes over stay what others make of them. */
void scatter(int n, const int *p, const int *x, int *y) {
    for (int i = 0; i < n; i++) y[p[i]] += x[i];
}

void search(int n, const double *wanted, int m, const double *grid, double *found) {
    for (int i = 0; i < n; i++) {
        int low = 0, high = m - 1;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (grid[middle] > wanted[i])
                high = middle;
            else
                low = middle;
        }
        found[i] = grid[low];
    }
}

/* A shape said of the block of cells is said of the pointer behind a pointer. */
void half(int n, double **cells, const int *kind) {
    for (int i = 0; i < n; i++)
        if (kind[i])
            for (int k = 0; k < 9; k++) (*cells)[9 * i + k] *= 0.5;
}

/* Rows behind pointers, of which the data decide how much is touched. */
void masked_rows(int n, int m, int **mask, double **u, double **v) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            if ((mask[i][j] & 1) && (mask[i + 1][j] & 1)) v[i][j] = u[i][j] + 0.25 * (u[i + 1][j] - u[i - 1][j]);
}

void rows_too_far(int n, int m, int **mask, double **v) {
    for (int i = 0; i < n; i++) // original: what is known of the memory ends before what may be touched of rows of `v`
        for (int j = 0; j < m; j++)
            if (mask[i][j] > 100) v[i][4000 * j] = 1;
}

/* It ends whatever is read: steps are counted. */
int smooth(int n, const int *p, double *x, double *y, int most, double enough) {
    double rest = enough + 1;
    int t;
    for (t = 0; t < most && rest > enough; t++) { // original: a subscript leads out of the memory that is known behind its pointer
        rest = 0;
        for (int i = 0; i < n; i++) y[i] = 0.5 * (x[i] + x[p[i]]);
        for (int i = 0; i < n; i++) rest += (x[i] - y[i]) * (x[i] - y[i]);
        for (int i = 0; i < n; i++) x[i] = y[i];
    }
    return t;
}

static double sum(long n, const double *x) {
    double all = 0;
    for (long i = 0; i < n; i++) all += x[i] * (double)(i % 5 + 1);
    return all;
}

static double fixed[5000];

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 6000;
    struct matrix a = {n, malloc((n + 1) * sizeof(int)), malloc(3 * n * sizeof(int)), malloc(3 * n * sizeof(double))};
    double *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y);
    int *p = malloc(n * sizeof *p), *c = malloc(n * sizeof *c), last = 0;
    memset(fixed, 0, sizeof fixed);
    for (int i = 0; i < n; i++) { // decline: most of this would run in order
        a.start[i] = last;
        for (int d = -1; d <= 1; d++)
            if (i + d >= 0 && i + d < n) a.column[last] = i + d, a.value[last++] = 2 - 3 * (d != 0);
        x[i] = i % 17;
        p[i] = (int)(i * 7919L % n);
        c[i] = i % 7;
    }
    a.start[n] = last;
    product(&a, x, y);
    printf("%g\n", sum(n, y));

    gather(n, p, x, y);
    printf("%g\n", sum(n, y));
    /* Before the pointer, and behind it. */
    for (int i = 0; i < n / 2; i++) p[i] -= n / 2;
    gather_again(n / 2, p, x + n / 2, y);
    printf("%g\n", sum(n, y));
    double frame[64];
    for (int i = 0; i < 64; i++) frame[i] = i;
    for (int i = 0; i < n; i++) p[i] = (i * 5) % 64;
    gather_from_nowhere(n, p, frame, y);
    printf("%g\n", sum(n, y));
    /* Blocks that were given back, and come again shorter and longer. */
    for (int k = 1; k < 4; k++) {
        int before = (5 - k) * 2000, then = k * 3000;
        double *z = malloc(before * sizeof *z);
        for (int i = 0; i < before; i++) z[i] = i + k;
        z = realloc(z, then * sizeof *z);
        for (int i = 0; i < then; i++) z[i] = i - k;
        for (int i = 0; i < n; i++) p[i] = i * 31 % then;
        gather(n, p, z, y);
        printf("%g\n", sum(n, y));
        free(z);
    }

    struct grid g = {80, n / 80, malloc(n * sizeof(double)), malloc(n * sizeof(double)), malloc(n * sizeof(int))};
    for (int i = 0; i < n; i++) g.u[i] = i % 13, g.next[i] = -1, g.mask[i] = i % 5 != 0;
    for (int t = 0; t < 3; t++) {
        step(&g, 0.125);
        double *u = g.u;
        g.u = g.next, g.next = u;
    }
    printf("%g\n", sum(n, g.u));

    struct image from = {100, n / 100, malloc(n)}, to = {100, n / 100, malloc(n)};
    int *count = calloc(80, sizeof *count);
    unsigned char *table = malloc(256);
    for (int i = 0; i < n; i++) from.pixel[i] = (unsigned char)(i * 31 % 251), to.pixel[i] = 0;
    for (int i = 0; i < 256; i++) table[i] = (unsigned char)(255 - i);
    histogram(&from, 80, count);
    look_up(&from, &to, table);
    long total = 0;
    for (int i = 0; i < 80; i++) total += (long)i * count[i];
    for (int i = 0; i < n; i++) total += to.pixel[i] * (i % 3);
    printf("%ld\n", total);

    halves(n / 2, c, x);
    halves(n / 2, c + n / 2, x + n / 2);
    halves(5000, c, fixed);
    halves(64, c, frame);
    printf("%g %g %g\n", sum(n, x), sum(5000, fixed), sum(64, frame));
    for (int i = 0; i < n; i++) p[i] = i * 7 % 4000;
    gather(n, p, fixed + 1000, y);
    printf("%g\n", sum(n, y));
    too_far(n, n / 2, c, x);
    printf("%g\n", sum(n, x));

    int *many = calloc(2 * n, sizeof *many);
    for (int i = 0; i < n; i++) p[i] = (int)(i * 7919L % n) / 4;
    scatter(n, p, c, many + n);
    int all = 0;
    for (int i = 0; i < 2 * n; i++) all += many[i] * (i % 11);
    printf("%d\n", all);
    for (int i = 0; i < n; i++) x[i] = i * 0.5, y[i] = i % 100;
    search(n, y, n, x, g.u);
    printf("%g\n", sum(n, g.u));
    double *cells = malloc(9 * n * sizeof *cells);
    for (int i = 0; i < 9 * n; i++) cells[i] = i;
    half(n, &cells, c);
    for (int i = 0; i < n; i++) p[i] = i * 7 % n, cells[i] = i % 23, cells[3 * n + i] = i % 19;
    int steps = smooth(n, p, cells, y, 30, 400);
    /* To elements before the pointer. */
    for (int i = 0; i < n; i += 100) p[i] = -i;
    printf("%d %d\n", steps, smooth(n, p, cells + 3 * n, y, 30, 400));
    double *rows[40], *others[40];
    int *masks[40];
    for (int i = 0; i < 40; i++) {
        rows[i] = malloc(50 * sizeof(double)); // decline: `malloc` cannot be called on the device
        others[i] = cells + 50 * i;
        masks[i] = c + 50 * i;
    }
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++) rows[i][j] = i * j % 7;
    masked_rows(40, 50, masks, rows, others);
    masked_rows(40, 50, masks, others, rows);
    rows_too_far(40, 50, masks, rows);
    for (int i = 0; i < 40; i++) cells[50 * i] += rows[i][i];
    printf("%g\n", sum(9 * n, cells));
    return 0;
}
