/* A clause about what each iteration has for itself has no effect, and is no reason to decline the loop. */
void f(int n, int m, const double *a, double *y) {
    double s, t = 0;
#pragma omp parallel for reduction(+ : s, t)
    for (int i = 0; i < n; i++) {
        s = 0;
        for (int j = 0; j < m; j++)
            s += a[i * m + j];
        t += s;
        y[i] = s;
    }
    y[0] += t;
}
