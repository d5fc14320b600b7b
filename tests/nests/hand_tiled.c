/* Loops over tiles that programs write by hand, some of which must stay as they are. */
#include <stdio.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define N 70
#define PAD 96

/* Both matrices are written, the lengths are the caller's. */
static void transpose(long order, long tile, double *a, double *b)
{
    long i, j, it, jt;
    for (i = 0; i < order; i += tile)
        for (j = 0; j < order; j += tile)
            for (it = i; it < MIN(order, i + tile); it++)
                for (jt = j; jt < MIN(order, j + tile); jt++) {
                    b[jt + order * it] += a[it + order * jt];
                    a[it + order * jt] += 1.0;
                }
}

static void known(int n, const double *a, double *b)
{
    for (int ii = 1; ii <= n; ii += 16)
        for (int jj = 1; jj <= n; jj += 32)
            for (int i = ii; i <= n && i <= ii + 15; i++)
                for (int j = jj; j < jj + 32 && j < n + 1; j++) b[(j - 1) * n + i - 1] += a[(i - 1) * n + j - 1];
}

/* Nothing but the tile ends a loop: the last one may go beyond n. */
static void whole(int n, int t, double (*a)[PAD], double (*b)[PAD])
{
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t)
            for (int i = ii; i < ii + t; i++)
                for (int j = jj; j < jj + t; j++) b[i][j] = 2 * a[j][i] + b[i][j];
}

static void product(int n, int t, double (*a)[n], double (*b)[n], double (*c)[n])
{
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t)
            for (int kk = 0; kk < n; kk += t)
                for (int i = ii; i < MIN(n, ii + t); i++)
                    for (int j = jj; j < MIN(n, jj + t); j++) {
                        double s = c[i][j];
                        for (int k = kk; k < MIN(n, kk + t); k++) s += a[i][k] * b[k][j];
                        c[i][j] = s;
                    }
}

static void partial(int n, int t, const float (*a)[n], const float (*b)[n], float (*c)[n])
{
    int i, j, k, jj, kk;
    float s;
    for (jj = 0; jj < n; jj = jj + t)
        for (kk = 0; kk < n; kk = t + kk)
            for (i = 0; i < n; i++)
                for (j = jj; j < (jj + t > n ? n : jj + t); j++) {
                    s = 0;
                    for (k = kk; k < (kk + t > n ? n : kk + t); k++) s += a[i][k] * b[k][j];
                    c[i][j] += s;
                }
}

/* Of these the order matters: a sweep that goes back along j, and steps of time within a tile. */
static void sweep(int n, int t, unsigned *b)
{
    for (int ii = 1; ii < n - 1; ii += t)
        for (int jj = 1; jj < n - 1; jj += t)
            for (int i = ii; i < MIN(ii + t, n - 1); i++)
                for (int j = jj; j < MIN(jj + t, n - 1); j++)
                    b[i * n + j] = 3 * b[(i - 1) * n + j + 1] + b[i * n + j - 1];
}

static void in_time(int n, int steps, int t, unsigned (*u)[N])
{
    for (int ii = 1; ii < n - 1; ii += t)
        for (int s = 1; s < steps; s++)
            for (int i = ii; i < MIN(ii + t, n - 1); i++) u[s][i] = u[s - 1][i - 1] + u[s - 1][i + 1];
}

/* Here it does not: nothing comes from the right. */
static void downwind(int n, int steps, int t, unsigned (*u)[N])
{
    for (int ii = 1; ii < n - 1; ii += t)
        for (int s = 1; s < steps; s++)
            for (int i = ii; i < MIN(ii + t, n - 1); i++) u[s][i] = 3 * u[s - 1][i - 1] + u[s - 1][i];
}

/* The last value of a variable, places in a tile, a tile's own end that is read behind it. */
static double last(int n, int t, const double *a, double *b)
{
    int i, ii;
    double x = 0;
    for (ii = 0; ii < n; ii += t)
        for (i = ii; i < MIN(n, ii + t); i++) {
            x = a[i];
            b[i] = x + (i - ii);
        }
    for (ii = 0; ii < n; ii += t)
        for (i = ii; i < MIN(n, ii + t); i++) b[i] += 1;
    return x + i + ii;
}

/* A tile's first is on the diagonal of the one before. */
static void triangle(int n, int t, double (*a)[N])
{
    for (int ii = 0; ii < n; ii += t)
        for (int jj = ii; jj < n; jj += t)
            for (int i = ii; i < MIN(n, ii + t); i++)
                for (int j = jj; j < MIN(n, jj + t); j++) a[i][j] = a[i][j] * 0.5 + i;
}

/* Lengths without a sign, and a loop that nobody tiles in between. */
static void planes(unsigned long n, unsigned long t, double (*a)[N], const double (*b)[N])
{
#pragma omp parallel for
    for (unsigned long jj = 0; jj < n; jj += t)
        for (unsigned long i = 0; i < n; i++)
            for (unsigned long j = jj; j < MIN(n, jj + t); j++) a[i][j] += b[j][i];
}

/* Points that count from 0: how far a tile goes is said in two ways. */
static void from_zero(int n, int t, const double *a, double *b)
{
    int i, j;
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t)
            for (i = 0; i < t && i < n - ii; i++)
                for (j = 0; j < MIN(n - jj, t); j++) b[(ii + i) * n + jj + j] += a[(jj + j) * n + (i + ii)];
}

/* Whole tiles; a point that is spoken of alone. */
static void alone(int n, int t, const double *a, double *b)
{
    for (int ii = 0; ii < n; ii += t)
        for (int i = 0; i < t; i++) b[ii + i] += 2 * a[i + ii];
    for (int ii = 0; ii < n; ii += t)
        for (int i = 0; i < t; i++) b[ii + i] += i * a[ii];
}

/* Nests in turns over tiles: the second one reads what the first one sets there, or in the next tile. */
static void in_turns(int n, int t, unsigned *a, unsigned *b)
{
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) a[i] = 3 * a[i] + 1;
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += a[i];
    }
}

static void ahead(int n, int t, unsigned *a, unsigned *b)
{
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) a[i] = 3 * a[i] + 1;
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += a[i + 1];
    }
}

static void behind(int n, int t, unsigned *a, unsigned *b)
{
    for (int ii = 1; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) a[i] = 3 * a[i] + 1;
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += a[i - 1];
    }
}

/* Where both are one array, a tile reads what the one beside it has written. */
static void diagonal(int n, int t, unsigned (*a)[N], unsigned (*b)[N])
{
    for (int ii = 0; ii < n - 1; ii += t)
        for (int jj = 1; jj < n; jj += t)
            for (int i = ii; i < MIN(ii + t, n - 1); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) b[i][j] = 3 * a[i + 1][j - 1] + 1;
}

static double a[PAD * PAD], b[PAD * PAD], c[PAD * PAD];
static float f[3][N * N];
static unsigned w[3][N * N];

static void show(const char *what)
{
    double s = 0;
    for (int i = 0; i < PAD * PAD; i++) s += b[i] * (i % 7) + c[i] * (i % 5) + a[i] * (i % 3);
    printf("%s %.10g\n", what, s);
}

int main(void)
{
    for (int i = 0; i < PAD * PAD; i++) a[i] = i % 11, b[i] = i % 7, c[i] = i % 13;
    for (int i = 0; i < N * N; i++) f[0][i] = i % 3, f[1][i] = i % 5, f[2][i] = 1;
    transpose(N, 16, a, b);
    transpose(N, N, a, b);
    transpose(N, 1000, a, b);
    transpose(N, 1, a, b);
    show("transpose");
    known(N, a, b);
    known(1, a, b);
    show("known");
    whole(N, 10, (void *)a, (void *)b);
    whole(N, 16, (void *)a, (void *)b);
    show("whole");
    product(N, 16, (void *)a, (void *)b, (void *)c);
    show("product");
    partial(N, 9, (void *)f[0], (void *)f[1], (void *)f[2]);
    printf("partial %g %g\n", f[2][0], f[2][N * N - 1]);
    for (int i = 0; i < PAD * PAD; i++) a[i] = i % 11, b[i] = i % 7, c[i] = i % 13;
    for (int i = 0; i < N * N; i++) w[0][i] = w[1][i] = w[2][i] = i % 9;
    sweep(N, 16, w[0]);
    in_time(N, 20, 8, (void *)w[1]);
    downwind(N, 20, 8, (void *)w[2]);
    unsigned h = 0;
    for (int i = 0; i < N * N; i++) h = h * 31 + w[0][i] * 7 + w[1][i] * 5 + w[2][i];
    printf("orders %u\n", h);
    printf("last %g\n", last(N, 12, a, b));
    triangle(N, 9, (void *)a);
    planes(N, 9, (void *)a, (const void *)b);
    planes(N, 1ul << 40, (void *)a, (const void *)b);
    show("others");
    from_zero(N, 9, a, b);
    from_zero(N, 70, a, b);
    alone(N, 10, a, b);
    alone(N, 9, a, b);
    show("from 0");
    in_turns(N * N, 16, w[0], w[1]);
    ahead(N * N - 1, 16, w[0], w[1]);
    behind(N * N, 9, w[1], w[2]);
    diagonal(N, 16, (void *)w[1], (void *)w[2]);
    diagonal(N, 16, (void *)w[0], (void *)w[0]);
    for (int i = 0; i < N * N; i++) h = h * 31 + w[0][i] * 7 + w[1][i] * 5 + w[2][i];
    printf("turns %u\n", h);
    return 0;
}
