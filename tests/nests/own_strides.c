/* Strides that are variables of their own: a row is as many elements as the caller says, and a plane as well. */
#include <stdio.h>
#include <stdlib.h>

struct box {
    int imin, imax, jmin, jmax, kmin, kmax, jp, kp;
};

/* Neighbours of a cell by pointers of their own, which are set back by a row or a plane. */
static void product(const struct box *d, const double *left, const double *mid, double *x, double *b)
{
    int imin = d->imin, imax = d->imax, jmin = d->jmin, jmax = d->jmax, kmin = d->kmin, kmax = d->kmax;
    int jp = d->jp, kp = d->kp;
    double *below = x - kp;
    double *before = x - jp - 1;
    for (int k = kmin; k < kmax; k++)
        for (int j = jmin; j < jmax; j++)
            for (int i = imin; i < imax; i++) {
                int at = i + j * jp + k * kp;
                b[at] = left[at] * below[at] + mid[at] * before[at] + x[at];
            }
}

/* No stride is one where the caller says so: rows or columns follow each other. */
static void general(int n, int m, int rs, int cs, const double *a, double *c, int rs_c, int cs_c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i * rs_c + j * cs_c] = 2 * a[i * rs + j * cs] + 1;
}

/* Four dimensions. */
static void deep(int n, int s1, int s2, int s3, const double *a, double *c)
{
    for (int l = 0; l < n; l++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++)
                    c[l * s3 + k * s2 + j * s1 + i] = a[l * s3 + k * s2 + j * s1 + i] + a[i];
}

static double sum(const double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * (i % 7 + 1);
    return s;
}

int main(void)
{
    enum { ROW = 20, ROWS = 12, PLANES = 9, ALL = ROW * ROWS * PLANES };
    double *v[5];
    for (int k = 0; k < 5; k++) {
        v[k] = malloc(ALL * sizeof(double));
        for (int i = 0; i < ALL; i++) v[k][i] = (i * (k + 3)) % 17;
    }
    struct box d = {1, 18, 1, 11, 1, 8, ROW, ROW * ROWS};
    product(&d, v[0], v[1], v[2], v[3]);
    printf("%g\n", sum(v[3], ALL));
    d.kp += 3; /* a plane is no whole number of rows */
    product(&d, v[0], v[1], v[2], v[3]);
    printf("%g\n", sum(v[3], ALL));
    d.jp = 0; /* all rows are one */
    product(&d, v[0], v[1], v[2], v[3]);
    printf("%g\n", sum(v[3], ALL));
    general(30, 40, 50, 1, v[0], v[3], 45, 1);
    printf("%g\n", sum(v[3], ALL));
    general(30, 40, 1, 50, v[0], v[3], 1, 30);
    general(30, 40, 50, 1, v[0], v[3], 0, 1);
    general(30, 20, 40, 2, v[0], v[3] + 29 * 40, -40, 2); /* from the end */
    printf("%g\n", sum(v[3], ALL));
    deep(5, 6, 36, 216, v[1], v[4]);
    deep(5, 6, 40, 200, v[1], v[4]);
    printf("%g\n", sum(v[4], ALL));
    return 0;
}
