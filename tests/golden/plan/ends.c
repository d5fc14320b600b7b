/* How far arrays are used, where that depends on which loops run at all, and on which size is the greatest. */
void greatest(int n, int m, int k, double *a) {
    for (int i = 0; i < n; i++) a[i] = 1;
    for (int i = 0; i < m; i++) a[i] += 2;
    for (int i = 0; i < k; i++) a[i] *= 3;
}
void by_parts(int n, int m, int k, double *a, double *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i] += a[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++) b[i] += 1;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++) b[i] += 1;
}
/* Each nest would have a case of its own for where the others are empty: rows of 14 are asked for whatever the rest. */
void rows(int n, int m, int k, double u[][14], double v[][14]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) u[i][j] = v[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) u[i][j] += v[i][j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++) u[i][j] *= 2;
}
