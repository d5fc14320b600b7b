/* Rows behind pointers that are members of structures in an array: read, set, set beside other members of the structures; kept on the
   GPU while the host sets elements, frees rows and moves the structures; rows that are the same memory. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 64
#endif

typedef struct {
    double *at;
    int id;
    float weight;
    struct {
        int *near;
        float (*moments)[3];
    } own;
} Point;

typedef struct {
    int n;
    Point *all;
} Points;

static Point fixed[N];

static void nearest(int n, int m, int k, Point *p, const double *centres) {
    for (int i = 0; i < n; i++) {
        double least = 1e300;
        int id = 0;
        for (int j = 0; j < k; j++) {
            double d = 0;
            for (int l = 0; l < m; l++)
                d += (p[i].at[l] - centres[j * m + l]) * (p[i].at[l] - centres[j * m + l]);
            if (d < least) {
                least = d;
                id = j;
            }
        }
        p[i].id = id;
        p[i].weight = least;
    }
}

static void scaled(Points *p, int m, double by) {
    for (int i = 0; i < p->n; i++)  // original: rows of p_all_0_at overlap
        for (int k = 0; k < m; k++)
            p->all[i].at[k] *= by;
}

static void steps(Points *p, int m, double *y) {
    for (int t = 0; t < 6; t++) {
        for (int i = 0; i < p->n; i++)
            for (int k = 0; k < m; k++)
                p->all[i].at[k] = 0.5 * p->all[i].at[k] + y[i];
        for (int i = 0; i < p->n; i++)
            y[i] += 0.125 * p->all[i].at[0];
        if (t % 2 == 0)
            printf("%d: %.10g\n", t, p->all[2].at[3]);
    }
}

static void nested(int n, int m, Point *p) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) {
            p[i].own.near[k] += i + k;
            for (int l = 0; l < 3; l++)
                p[i].own.moments[k][l] += 0.5f * l + k;
        }
}

static void of_two(int n, int m, Point *p, const Point *q) {
    for (int i = 0; i < n; i++)  // original: overlap
        for (int k = 0; k <= i && k < m; k++)
            p[i].at[k] += 0.5 * q[i].at[k];
}

static void of_file(int m) {
    for (int i = 1; i < N; i++)
        for (int k = 0; k < m; k++)
            fixed[i].at[k] += fixed[0].at[k] + i;
}

static void marked(int n, const Point *p, char *marks) {
    for (int i = 0; i < n; i++)  // original: overlap
        marks[i] = p[i].at[1] > 2;
}

static double sum(int n, int m, const Point *p) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            s += p[i].at[k] * (1 + (i + k) % 5);
    return s;
}

int main(void) {
    int n = N, m = 40;
    Points p = {n, calloc(n, sizeof(Point))};
    Point *q = calloc(n, sizeof *q);
    double *centres = calloc(4 * m, sizeof *centres), *y = calloc(n, sizeof *y), s = 0;
    char *marks = calloc(n, 1);
    for (int i = 0; i < n; i++) {
        p.all[i].at = malloc(m * sizeof(double));
        q[i].at = malloc(m * sizeof(double));
        fixed[i].at = malloc(m * sizeof(double));
        p.all[i].own.near = calloc(m, sizeof(int));
        p.all[i].own.moments = calloc(m, sizeof(float[3]));
        for (int k = 0; k < m; k++) {
            p.all[i].at[k] = (i * 7 + k * 3) % 11;
            q[i].at[k] = i - k;
            fixed[i].at[k] = k;
        }
    }
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < m; k++)
            centres[j * m + k] = p.all[9 * j].at[k];
    nearest(n, m, 4, p.all, centres);
    for (int i = 0; i < n; i++)
        s += p.all[i].id * (i % 5) + p.all[i].weight;
    printf("nearest: %.10g\n", s);
    scaled(&p, m, 0.5);
    steps(&p, m, y);
    printf("steps: %.10g %.10g\n", sum(n, m, p.all), y[7]);
    nested(n, m, p.all);
    printf("nested: %d %g\n", p.all[5].own.near[m - 1], p.all[n - 1].own.moments[m - 1][2]);
    of_two(n, m, p.all, q);
    p.all[5].at[7] = 1000;
    free(p.all[9].at);
    p.all[9].at = calloc(m, sizeof(double));
    scaled(&p, m, 2);
    printf("set: %.10g\n", sum(n, m, p.all));
    p.all = realloc(p.all, 2 * n * sizeof(Point));
    of_two(n, m, p.all, q);
    printf("moved: %.10g\n", sum(n, m, p.all));
    of_two(n - 1, m, p.all, p.all + 1);
    of_two(n - 1, m, p.all + 1, p.all);
    of_two(n, m, p.all, p.all);
    printf("overlap: %.10g\n", sum(n, m, p.all));
    of_file(m);
    marked(n, fixed, marks);
    printf("of file: %.10g %d %d\n", sum(n, m, fixed), marks[0], marks[n - 1]);
    marked(1, p.all, (char *)&p.all[0].at[1]);
    p.all[4].at = p.all[3].at;
    scaled(&p, m, 2);
    printf("shared: %.10g\n", sum(n, m, p.all));
    return 0;
}
