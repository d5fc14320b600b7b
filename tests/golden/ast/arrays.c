/* Arrays of fixed and of variable length, pointers to rows, initialisers. */
void arrays(int n, int m, double a[n][m], double (*b)[m], const double c[restrict static 8]) {
    double local[3] = {1, 2.5, 3e-2}, square[n][n];
    double *p = &a[0][0], *q[4];
    for (int i = 0; i < n; i++)
        square[i][i] = *(p + i) + b[i][m - 1] * c[i % 8] + local[i % 3];
    q[0] = p + 1;
}
