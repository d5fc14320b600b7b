void *malloc(unsigned long);
void free(void *);
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define T 16

/* Tiles of both factors are copied to parts of one allocation, sums are kept apart. */
void packed(int n, int t, double *a, double *b, double *c)
{
    int i, j, k, ig, jg, kg;
    double *p = malloc(2 * t * (t + 2) * sizeof(double)), *q;
    double *s = malloc(t * t * sizeof(double));
    q = p + t * (t + 2);
    for (int jj = 0; jj < n; jj += t)
        for (int kk = 0; kk < n; kk += t) {
            for (jg = jj, j = 0; jg < MIN(jj + t, n); j++, jg++)
                for (kg = kk, k = 0; kg < MIN(kk + t, n); k++, kg++) q[j + (t + 2) * k] = b[kg + n * jg];
            for (int ii = 0; ii < n; ii += t) {
                for (kg = kk, k = 0; kg < MIN(kk + t, n); k++, kg++)
                    for (ig = ii, i = 0; ig < MIN(ii + t, n); i++, ig++) p[i + (t + 2) * k] = a[ig + n * kg];
                for (j = 0; j < MIN(t, n - jj); j++)
                    for (i = 0; i < MIN(t, n - ii); i++) s[i * t + j] = 0;
                for (k = 0; k < MIN(t, n - kk); k++)
                    for (j = 0; j < MIN(t, n - jj); j++)
                        for (i = 0; i < MIN(t, n - ii); i++)
                            s[i * t + j] += p[i + (t + 2) * k] * q[j + (t + 2) * k];
                for (jg = jj, j = 0; jg < MIN(jj + t, n); j++, jg++)
                    for (ig = ii, i = 0; ig < MIN(ii + t, n); i++, ig++) c[ig + n * jg] += s[i * t + j];
            }
        }
    free(p);
    free(s);
}

/* Whole tiles on the stack, whose sums take the place of what was there. */
void whole(int n, double (*a)[n], double (*b)[n], double (*c)[n])
{
    double p[T][T], s[T][T];
    for (int ii = 0; ii < n; ii += T)
        for (int jj = 0; jj < n; jj += T) {
            for (int i = 0; i < T; i++)
                for (int j = 0; j < T; j++) s[i][j] = 0;
            for (int kk = 0; kk < n; kk += T) {
                for (int i = 0; i < T; i++)
                    for (int k = 0; k < T; k++) p[k][i] = a[ii + i][kk + k];
                for (int i = 0; i < T; i++)
                    for (int j = 0; j < T; j++)
                        for (int k = 0; k < T; k++) s[i][j] += p[k][i] * b[kk + k][jj + j];
            }
            for (int i = 0; i < T; i++)
                for (int j = 0; j < T; j++) c[ii + i][jj + j] = s[i][j];
        }
}

/* A tile of which more is read than was copied. */
void beside(int n, int t, int *a, int *b)
{
    int s[T + 1] = {0};
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] = a[i];
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += s[i - ii + 1];
    }
}

/* What was copied changes before it is read. */
void changed(int n, int t, int *a, int *b)
{
    int s[T];
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] = a[i];
        for (int i = ii; i < MIN(ii + t, n); i++) a[i] = 2 * i;
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += s[i - ii];
    }
}

/* The last tile is read behind the loops. */
int behind(int n, int t, int *a, int *b)
{
    int s[T];
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] = a[i];
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += s[i - ii];
    }
    return s[0];
}

/* A tile that C which is not modelled reads behind the loops. */
struct part {
    int *from;
};
int use(struct part);
int named(int n, int t, int *a, int *b)
{
    int s[T];
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) s[i - ii] = a[i];
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += s[i - ii];
    }
    return use((struct part){ s });
}
