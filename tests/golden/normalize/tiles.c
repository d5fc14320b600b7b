#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Two loops over tiles. */
void transpose(int n, int m, int t, double (*a)[m], double (*b)[n])
{
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < m; jj += t)
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, m); j++) b[j][i] = a[i][j];
}

/* A sum is taken up where it is put down. */
void product(int n, int t, double (*a)[n], double (*b)[n], double (*c)[n])
{
    for (int kk = 0; kk < n; kk += t)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = kk; k <= MIN(kk + t - 1, n - 1); k++) s += a[i][k] * b[k][j];
                c[i][j] += s;
            }
}

/* The place in a tile is spoken of: nothing is plainer. */
void places(int n, int t, double *a)
{
    for (int ii = 0; ii < n; ii += t)
        for (int i = ii; i < MIN(ii + t, n); i++) a[i] = i - ii;
}

/* A counter is read behind its loop. */
int behind(int n, int t, double *a)
{
    int i = 0;
    for (int ii = 0; ii < n; ii += t)
        for (i = ii; i < MIN(ii + t, n); i++) a[i] = i;
    return i;
}

/* Another end than the tiles have. */
void other(int n, int m, int t, double *a)
{
    for (int ii = 0; ii < n; ii += t)
        for (int i = ii; i < MIN(ii + t, m); i++) a[i] = i;
}

/* Points that count from 0. */
void from_zero(int n, int t, double *a, double *b)
{
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t)
            for (int i = 0; i < t && i < n - ii; i++)
                for (int j = 0; j < MIN(t, n - jj); j++) b[(ii + i) * n + jj + j] = a[(jj + j) * n + ii + i];
}

/* Two nests in turns. */
void in_turns(int n, int t, double *a, double *b)
{
    for (int ii = 0; ii < n; ii += t) {
        for (int i = ii; i < MIN(ii + t, n); i++) a[i] = 2 * a[i];
        for (int i = ii; i < MIN(ii + t, n); i++) b[i] += a[i];
    }
}
