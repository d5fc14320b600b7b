/* What a directive says: both loops are independent, each iteration has its own `t`. */
void asserted(int n, const int p[n], double a[n][n], double b[n][n]) {
    double t;
#pragma omp parallel for collapse(2) private(t)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (a[i][j] > 0)
                t = a[i][j];
            b[p[i]][j] = t;
        }
}
