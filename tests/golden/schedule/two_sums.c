/* One loop nest, two accumulations: along j for q, along i for s. Apart, each has a parallel loop around it. */
void bicg(int n, int m, double a[n][m], double *s, double *q, double *p, double *r) {
    for (int i = 0; i < n; i++) {
        q[i] = 0.0;
        for (int j = 0; j < m; j++) {
            s[j] = s[j] + r[i] * a[i][j];
            q[i] = q[i] + a[i][j] * p[j];
        }
    }
}
