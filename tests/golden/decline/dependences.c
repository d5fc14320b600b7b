/* Iterations that need each other. */
void recurrence(int n, double *a) {
    for (int i = 1; i < n; i++)  // decline: `a`, which is written on line 4 and read on line 4 by a later iteration
        a[i] = 0.5 * a[i - 1];
}

void scatter(int n, const int *p, double y[n]) {
    for (int i = 0; i < n; i++)  // decline: `y`, which is written on line 9 and written again on line 9 by a later iteration
        y[p[i]] = i;
}

double horner(int n, const double *c, double x) {
    double y = 0;
    for (int i = 0; i < n; i++)  // decline: `y`, which is written on line 15 and read on line 15 by a later iteration
        y = y * x + c[i];
    return y;
}

double promised(int n, const double *x) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s = 2 * s + x[i];  // decline: the directive promises that `s` is only accumulated by `+`
    return s;
}

void compact(int n, const double *x, double *y) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            y[k++] = x[i];  // decline: an assignment inside an expression
}
