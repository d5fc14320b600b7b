/* Tiles that programs copy to arrays of their own: some are seen through, others must stay as they are. */
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define N 24
#define T 8

/* Both factors are copied, one of them transposed, with padding; sums are kept apart. */
static void packed(int n, int t, const double *a, const double *b, double *c)
{
    int ig, jg, kg, i, j, k, ii, jj, kk;
    double *p = malloc(t * (t + 3) * sizeof(double));
    double *q = malloc(t * (t + 3) * sizeof(double));
    double *s = malloc(t * (t + 3) * sizeof(double));
    for (jj = 0; jj < n; jj += t)
        for (kk = 0; kk < n; kk += t) {
            for (jg = jj, j = 0; jg < MIN(jj + t, n); j++, jg++)
                for (kg = kk, k = 0; kg < MIN(kk + t, n); k++, kg++) q[j + (t + 3) * k] = b[kg + n * jg];
            for (ii = 0; ii < n; ii += t) {
                for (kg = kk, k = 0; kg < MIN(kk + t, n); k++, kg++)
                    for (ig = ii, i = 0; ig < MIN(ii + t, n); i++, ig++) p[i + (t + 3) * k] = a[ig + n * kg];
                for (jg = jj, j = 0; jg < MIN(jj + t, n); j++, jg++)
                    for (ig = ii, i = 0; ig < MIN(ii + t, n); i++, ig++) s[i + (t + 3) * j] = 0.0;
                for (kg = kk, k = 0; kg < MIN(kk + t, n); k++, kg++)
                    for (jg = jj, j = 0; jg < MIN(jj + t, n); j++, jg++)
                        for (ig = ii, i = 0; ig < MIN(ii + t, n); i++, ig++)
                            s[i + (t + 3) * j] += p[i + (t + 3) * k] * q[j + (t + 3) * k];
                for (jg = jj, j = 0; jg < MIN(jj + t, n); j++, jg++)
                    for (ig = ii, i = 0; ig < MIN(ii + t, n); i++, ig++) c[ig + n * jg] += s[i + (t + 3) * j];
            }
        }
    free(p);
    free(q);
    free(s);
}

/* The same of one allocation, whose parts lie apart. */
static void carved(int n, int t, const double *a, const double *b, double *c)
{
    int i, j, k, ii, jj, kk;
    double *p = malloc(2 * t * t * sizeof(double)), *q;
    q = p + t * t;
    for (ii = 0; ii < n; ii += t)
        for (jj = 0; jj < n; jj += t)
            for (kk = 0; kk < n; kk += t) {
                for (i = ii; i < MIN(ii + t, n); i++)
                    for (k = kk; k < MIN(kk + t, n); k++) p[(i - ii) * t + k - kk] = a[i * n + k];
                for (k = kk; k < MIN(kk + t, n); k++)
                    for (j = jj; j < MIN(jj + t, n); j++) q[(k - kk) * t + j - jj] = b[k * n + j];
                for (i = ii; i < MIN(ii + t, n); i++)
                    for (j = jj; j < MIN(jj + t, n); j++)
                        for (k = kk; k < MIN(kk + t, n); k++)
                            c[i * n + j] += p[(i - ii) * t + k - kk] * q[(k - kk) * t + j - jj];
            }
    free(p);
}

/* Parts that overlap: each call finds that out. */
static void overlapping(int n, int t, const double *a, const double *b, double *c)
{
    double *p = malloc(2 * t * t * sizeof(double)), *q;
    q = p + 1;
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t) {
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) p[(i - ii) * t + j - jj] = a[i * n + j];
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) q[(i - ii) * t + j - jj] = b[i * n + j];
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++)
                    c[i * n + j] += p[(i - ii) * t + j - jj] + 2 * q[(i - ii) * t + j - jj];
        }
    free(p);
}

/* Arrays on the stack, of a known length. */
static void on_stack(int n, const double (*a)[N], const double (*b)[N], double (*c)[N])
{
    for (int ii = 0; ii < n; ii += T)
        for (int jj = 0; jj < n; jj += T)
            for (int kk = 0; kk < n; kk += T) {
                double p[T][T], q[T][T + 1];
                for (int i = ii; i < MIN(ii + T, n); i++)
                    for (int k = kk; k < MIN(kk + T, n); k++) p[i - ii][k - kk] = a[i][k];
                for (int k = kk; k < MIN(kk + T, n); k++)
                    for (int j = jj; j < MIN(jj + T, n); j++) q[j - jj][k - kk] = b[k][j];
                for (int i = ii; i < MIN(ii + T, n); i++)
                    for (int j = jj; j < MIN(jj + T, n); j++) {
                        double s = 0;
                        for (int k = kk; k < MIN(kk + T, n); k++) s += p[i - ii][k - kk] * q[j - jj][k - kk];
                        c[i][j] += s;
                    }
            }
}

/* Points that count from 0 in whole tiles. */
static void whole(int n, const double (*a)[N], const double (*b)[N], double (*c)[N])
{
    double p[T][T], q[T][T];
    for (int ii = 0; ii < n; ii += T)
        for (int jj = 0; jj < n; jj += T)
            for (int kk = 0; kk < n; kk += T) {
                for (int i = 0; i < T; i++)
                    for (int k = 0; k < T; k++) p[i][k] = a[ii + i][kk + k];
                for (int k = 0; k < T; k++)
                    for (int j = 0; j < T; j++) q[k][j] = b[kk + k][jj + j];
                for (int i = 0; i < T; i++)
                    for (int j = 0; j < T; j++) {
                        double s = 0;
                        for (int k = 0; k < T; k++) s += p[i][k] * q[k][j];
                        c[ii + i][jj + j] += s;
                    }
            }
}

/* Points that count from 0 as far as the last tile goes. */
static void from_zero(int n, int t, const double *a, const double *b, double *c)
{
    int i, j, k;
    double *p = malloc(t * t * sizeof *p), *q = malloc(t * t * sizeof *q);
    for (int jj = 0; jj < n; jj += t)
        for (int kk = 0; kk < n; kk += t) {
            for (k = 0; k < MIN(t, n - kk); k++)
                for (j = 0; j < MIN(t, n - jj); j++) q[k * t + j] = b[(kk + k) * n + jj + j];
            for (int ii = 0; ii < n; ii += t) {
                for (i = 0; i < MIN(t, n - ii); i++)
                    for (k = 0; k < MIN(t, n - kk); k++) p[i * t + k] = a[(ii + i) * n + kk + k];
                for (i = 0; i < MIN(t, n - ii); i++)
                    for (k = 0; k < MIN(t, n - kk); k++)
                        for (j = 0; j < MIN(t, n - jj); j++)
                            c[(ii + i) * n + jj + j] += p[i * t + k] * q[k * t + j];
            }
        }
    free(p);
    free(q);
}

/* Sums over all of k are kept in a tile, which begins with what is there. */
static void kept(int n, int t, const double (*a)[N], const double (*b)[N], double (*c)[N])
{
    double s[N][N];
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t) {
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) s[i - ii][j - jj] = c[i][j];
            for (int kk = 0; kk < n; kk += t)
                for (int i = ii; i < MIN(ii + t, n); i++)
                    for (int j = jj; j < MIN(jj + t, n); j++)
                        for (int k = kk; k < MIN(kk + t, n); k++) s[i - ii][j - jj] += a[i][k] * b[k][j];
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) c[i][j] = s[i - ii][j - jj];
        }
}

/* The same, beginning with zero. */
static void anew(int n, int t, const double (*a)[N], const double (*b)[N], double (*c)[N])
{
    static double s[N][N];
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t) {
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) s[i - ii][j - jj] = 0;
            for (int kk = 0; kk < n; kk += t)
                for (int i = ii; i < MIN(ii + t, n); i++)
                    for (int j = jj; j < MIN(jj + t, n); j++)
                        for (int k = kk; k < MIN(kk + t, n); k++) s[i - ii][j - jj] += a[i][k] * b[k][j];
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) c[i][j] = s[i - ii][j - jj];
        }
}

static void transposed(int n, int t, const int (*a)[N], int (*b)[N])
{
    int s[N][N + 1];
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t) {
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) s[j - jj][i - ii] = 2 * a[i][j];
            for (int i = jj; i < MIN(jj + t, n); i++)
                for (int j = ii; j < MIN(ii + t, n); j++) b[i][j] += s[i - jj][j - ii];
        }
}

/* A tile with a rim. */
static void blurred(int n, int t, const int (*a)[N], int (*b)[N])
{
    int s[N][N];
    for (int ii = 1; ii < n - 1; ii += t)
        for (int jj = 1; jj < n - 1; jj += t) {
            for (int i = ii - 1; i < MIN(ii + t + 1, n); i++)
                for (int j = jj - 1; j < MIN(jj + t + 1, n); j++) s[i - ii + 1][j - jj + 1] = a[i][j];
            for (int i = ii; i < MIN(ii + t, n - 1); i++)
                for (int j = jj; j < MIN(jj + t, n - 1); j++)
                    b[i][j] += s[i - ii][j - jj + 1] + s[i - ii + 2][j - jj + 1] + s[i - ii + 1][j - jj] * 3;
        }
}

/* From here on the copies are more than that: what lies beside a tile is of the tile before. */
static void beside(int n, int t, const int *a, int *b)
{
    int s[N + 1];
    for (int i = 0; i <= N; i++) s[i] = i;
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] = a[i];
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += s[i - ii + 1];
    }
}

/* The source changes in between. */
static void changed(int n, int t, int *a, int *b)
{
    int s[N];
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] = a[i];
        for (int i = ii; i < MIN(ii + t, n); i++) a[i] = 3 * a[i] + 1;
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += s[i - ii];
    }
}

/* The last tile is wanted. */
static int wanted(int n, int t, const int *a, int *b)
{
    int s[N];
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] = a[i];
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] -= s[i - ii];
    }
    return s[0] * 7 + s[1];
}

/* Only some of it is copied; the rest is of the tile before. */
static void in_part(int n, int t, const int *a, int *b)
{
    int s[N];
    for (int i = 0; i < N; i++) s[i] = 5;
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n) - 1; i++) s[i - ii] = a[i];
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += s[i - ii];
    }
}

/* Two places of a tile are one. */
static void folded(int n, int t, const int (*a)[N], int (*b)[N])
{
    int s[2 * N];
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t) {
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) s[(i - ii) + (j - jj)] = a[i][j];
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) b[i][j] += s[(i - ii) + (j - jj)];
        }
}

/* Rows that are shorter than the tile is wide. */
static void narrow(int n, int t, int w, const int (*a)[N], int (*b)[N])
{
    int s[N * N];
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t) {
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) s[(i - ii) * w + (j - jj)] = a[i][j];
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) b[i][j] += s[(i - ii) * w + (j - jj)];
        }
}

/* The last tile's sums are not put down. */
static void given_up(int n, int t, int last, const int *a, int *c)
{
    int s[N];
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] = 0;
        for (int k = 0; k < n; k++)
            for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] += a[k] * (k + i);
        if (ii >= last) break;
        for (int i = ii; i < MIN(ii + t, n); i++) c[i] += s[i - ii];
    }
}

/* Tiles that become wider than rows. */
static void growing(int n, int t, int w, const int (*a)[N], int (*b)[N])
{
    int s[N * N];
    for (int step = 0; step < 4; step++) {
        for (int ii = 0; ii < n; ii += t)
            for (int jj = 0; jj < n; jj += t) {
                for (int i = ii; i < MIN(ii + t, n); i++)
                    for (int j = jj; j < MIN(jj + t, n); j++) s[(i - ii) * w + (j - jj)] = a[i][j];
                for (int i = ii; i < MIN(ii + t, n); i++)
                    for (int j = jj; j < MIN(jj + t, n); j++) b[i][j] += s[(i - ii) * w + (j - jj)];
            }
        t = t + 2;
    }
}

/* Sums that are not put down where they were taken up, twice, or scaled. */
static void moved(int n, int t, const int *a, int *c)
{
    int s[N];
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] = c[i];
        for (int k = 0; k < n; k++)
            for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] += a[k] * (k + i);
        for (int i = ii; i < MIN(ii + t, n); i++) c[i + 1] = s[i - ii];
    }
}

static void twice(int n, int t, const int *a, int *c)
{
    int s[N];
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] = c[i];
        for (int k = 0; k < n; k++)
            for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] += a[k] * (k + i);
        for (int i = ii; i < MIN(ii + t, n); i++) c[i] += s[i - ii];
    }
}

/* A sum that is put down in rows of its own: each of a tile's goes to one place. */
static void rows(int n, int t, const int (*a)[N], int *c)
{
    int s[N][N];
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t) {
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) s[i - ii][j - jj] = 0;
            for (int k = 0; k < n; k++)
                for (int i = ii; i < MIN(ii + t, n); i++)
                    for (int j = jj; j < MIN(jj + t, n); j++) s[i - ii][j - jj] += a[k][i] - a[j][k];
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++) c[i] += s[i - ii][j - jj];
        }
}

static double a[N * N], b[N * N], c[N * N];
static int v[N * N], w[N * N];

static void show(const char *name)
{
    double s = 0;
    unsigned h = 0;
    for (int i = 0; i < N * N; i++) s += c[i] * (i % 7);
    for (int i = 0; i < N * N; i++) h = h * 31 + v[i] * 7 + w[i];
    printf("%s %.17g %u\n", name, s, h);
}

int main(void)
{
    for (int i = 0; i < N * N; i++) a[i] = i % 11, b[i] = i % 7, c[i] = i % 13;
    for (int i = 0; i < N * N; i++) v[i] = i * i % 17, w[i] = i % 5;
    int sizes[] = {1, 8, 5, N + 3};
    for (int k = 0; k < 4; k++) {
        int t = sizes[k], n = k % 2 ? N : N - 3;
        packed(n, t, a, b, c);
        carved(n, t, a, b, c);
        overlapping(n, t, a, b, c);
        on_stack(n, (void *)a, (void *)b, (void *)c);
        whole(n, (void *)a, (void *)b, (void *)c);
        from_zero(n, t, a, b, c);
        kept(n, t > N ? N : t, (void *)a, (void *)b, (void *)c);
        show("products");
        anew(n, t > N ? N : t, (void *)a, (void *)b, (void *)c);
        show("anew");
        t = t > N ? N : t;
        transposed(n, t, (void *)v, (void *)w);
        blurred(n, t > N - 2 ? N - 2 : t, (void *)v, (void *)w);
        show("tiles");
        beside(n, t, v, w);
        changed(n, t, v, w);
        w[3] += wanted(n, t, v, w);
        in_part(n, t, v, w);
        folded(n, t, (void *)v, (void *)w);
        narrow(n, t, 3, (void *)v, (void *)w);
        growing(n, MIN(t, 8), 10, (void *)v, (void *)w);
        given_up(n, t, n / 2, v, w);
        moved(n - 1, t, v, w);
        twice(n, t, v, w);
        rows(n, t, (void *)v, w);
        show("others");
    }
    return 0;
}
