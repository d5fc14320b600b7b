#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef double real;

void checked(int n, const real *a, real *b) {
    for (int i = 1; i < n - 1; i++) {
        real *w = malloc(3 * sizeof(real));
        if (w == NULL) {
            fprintf(stderr, "no memory\n");
            exit(1);
        }
        for (int k = 0; k < 3; k++)
            w[k] = a[i + k - 1];
        b[i] = w[0] - 2 * *(w + 1) + w[2];
        free(w);
    }
}

void zeroed(int n, const int *a, int *b) {
    int *few, *many;
    for (int i = 0; i < n; i++) {
        few = (int *)calloc(4, sizeof *few);
        many = calloc(100, sizeof(int));
        assert(few && many);
        for (int k = 0; k < 9; k++) {
            few[a[i + k] & 3]++;
            many[a[i + k] & 63]++;
        }
        b[i] = few[1] + many[5];
        free(few);
        few = NULL;
        free(many);
    }
}

/* On each path, with what is there no more where the two are. */
void paths(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
        float *p = malloc(2 * sizeof *p), *q = malloc(8);
        if (!p || !q) {
            free(p);
            free(q);
            break;
        }
        p[0] = q[1] = a[i];
        if (a[i] > 1) {
            b[i] = p[0];
            free(q);
            free(p);
            continue;
        }
        if (p != NULL && a[i] < 0)
            b[i] = -q[1];
        free(p);
        if (q)
            free(q);
    }
}

static double *row(int n) {
    double *made = malloc(n * sizeof *made);
    if (!made)
        return NULL;
    return made;
}

static void drop(double *row) { free(row); }

void helpers(int n, int m, double *a) {
    for (int i = 0; i < n; i++) {
        double *w = row(m);
        if (!w)
            return;
        for (int j = 1; j < m; j++)
            w[j] = a[j - 1];
        for (int j = 1; j < m; j++)
            a[j] = w[j];
        drop(w);
    }
}

struct point {
    double x, y;
};

void shapes(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
        struct point *p = malloc(sizeof *p);
        double(*m)[2] = malloc(2 * sizeof *m);
        int *one = malloc(sizeof(int));
        p->x = a[i];
        (*p).y = i;
        *one = i % 2;
        m[0][0] = m[1][1] = p->x;
        m[0][1] = m[1][0] = p->y;
        b[i] = m[*one][0] * m[1][1];
        free(m), free(one);
        free(p);
    }
}

/* One pointer, two lives. */
void again(int n, const double *a, double *b) {
    double *w;
    for (int i = 0; i < n; i++) {
        w = malloc(16);
        w[0] = a[i];
        b[i] = w[0];
        free(w);
        w = calloc(1, 16);
        w[1] += a[i];
        b[i] += w[0] + w[1];
        free(w);
    }
}

void in_conditions(int n, int m, double *a) {
    for (int i = 0; i < n; i++) {
        double(*w)[m], *last;
        if ((w = malloc(2 * sizeof *w)) == NULL || !(last = malloc(sizeof(double))))
            return;
        for (int j = 0; j < m; j++)
            w[i % 2][j] = a[j];
        *last = w[i % 2][m - 1];
        for (int j = 0; j < m; j++)
            a[j] = w[i % 2][j] - *last;
        free(w);
        free(last);
    }
}

/* Members behind pointers, of a helper's structures. */
static struct point *made(double x) {
    struct point *p = malloc(sizeof(struct point));
    p->x = x;
    p->y = -x;
    return p;
}
static double between(const struct point *p, const struct point *q) { return p->x * q->y - p->y * q->x; }
void helpers_of_structures(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
        struct point *p = made(a[i]), *q = made(a[i + 1]);
        b[i] = between(p, q);
        free(p);
        free(q);
    }
}

/* What is left as it is. */
double *kept;
void leaks(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
        double *w = malloc(16);
        w[0] = a[i];
        if (w[0] > 0)
            free(w);
        b[i] = a[i];
    }
}
void leaves(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
        double *w = malloc(16);
        w[0] = a[i];
        if (w[0] > 0)
            break;
        b[i] = w[0];
        free(w);
    }
}
void stores(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
        double *w = malloc(16);
        w[0] = a[i];
        kept = w;
        b[i] = w[0];
        free(w);
    }
}
void grows(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
        double *w = malloc(16);
        w[0] = a[i];
        w = realloc(w, 32);
        b[i] = w[0];
        free(w);
    }
}
void chooses(int n, const double *a, double *b) {
    double *v = b;
    for (int i = 0; i < n; i++) {
        double *w = malloc(16);
        w[0] = a[i];
        if (a[i] > 0)
            v = w;
        b[i] = v[0];
        free(w);
    }
}
void reads_before(int n, const double *a, double *b, double *v) {
    for (int i = 0; i < n; i++) {
        double *w = malloc(16);
        w[0] = a[i];
        b[i] = v[0];
        v = w;
        b[i] += v[0];
        free(v);
    }
}
void hands_on(int n, const double *a, double *b) {
    double *last = NULL;
    for (int i = 0; i < n; i++) {
        if (last)
            free(last);
        last = malloc(16);
        last[0] = a[i];
        b[i] = last[0];
    }
    free(last);
}
void compares(int n, const double *a, int *b) {
    for (int i = 0; i < n; i++) {
        double *w = malloc(16);
        w[0] = a[i];
        b[i] = w < a;
        free(w);
    }
}
void grows_with_the_loop(int n, const double *a, double *b) {
    int m = 4;
    for (int i = 0; i < n; i++) {
        double *w = malloc(m * sizeof *w);
        for (int k = 0; k < m; k++)
            w[k] = a[k];
        b[i] = w[m - 1];
        free(w);
        m++;
    }
}
void as_bytes(int n, const float *a, int *b) {
    for (int i = 0; i < n; i++) {
        float *w = malloc(4);
        *w = a[i];
        b[i] = ((unsigned char *)w)[3];
        free(w);
    }
}
