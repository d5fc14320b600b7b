/* What must hold of the sizes becomes the context: a row of `a` has 8 elements. */
void guarded(int n, int m, double (*a)[8], double *t) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = t[i + j];
}
