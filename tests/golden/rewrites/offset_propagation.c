/* The first element of the interior, set once; rows are as long as in the subscripts. */
void interior(int nx, int nz, float *p, const float *q) {
    int w, start, i, j;
    w = nz + 4;
    start = 2 * w + 2;
    for (i = 0; i < nx; i++)
        for (j = 0; j < nz; j++)
            p[start + i * w + j] = q[start + i * w + j - 2 * w] + q[start + i * w + j + 2];
}

/* Rows of another length, an offset that is set again, one whose row changes, and one that not every way sets. */
void others(int n, int m, float *p) {
    int w = n + 2, row = m * 2, again = w * 2, late = w * 3, seldom = 0;
    if (m > 8)
        seldom = w * 2;
    for (int i = 0; i < n; i++)
        p[row + i * w] = 0;
    for (int i = 0; i < n; i++)
        p[again + i * w] = 1;
    again = 5 * w;
    for (int i = 0; i < n; i++)
        p[seldom + i * w] = 2;
    w = m;
    for (int i = 0; i < n; i++)
        p[late + i * w] = 3;
}
