/* A matrix in one array, read row by row and anywhere: the extents that the user states are all there is. */
void gathered(int n, int m, const int p[n], const double *a, double *b) {
#pragma rt shape(a: n, m)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = a[i * m + j] + a[p[i]];
}
