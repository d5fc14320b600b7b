/* Iterations that need each other. */
void recurrence(int n, double *a) {
    for (int i = 1; i < n; i++)  // decline: `a`, which is written on line 4 and read on line 4 by a later iteration
        a[i] = 0.5 * a[i - 1] + 1;
}

void squared(int n, const double *a, double *b) {
    for (int i = 1; i < n; i++)  // decline: `b`, which is written on line 9 and read on line 9 by a later iteration
        b[i] = b[i - 1] * b[i - 1] + a[i];
}

void two_before(int n, const double *a, double *b) {
    for (int i = 2; i < n; i++)  // decline: `b`, which is written on line 14 and read on line 14 by a later iteration, distance (2)
        b[i] = b[i - 2] + a[i];
}

void chosen_by_the_sum(int n, const double *a, double *b) {
    double s = 0;
    for (int i = 0; i < n; i++) {  // decline: `s`, which is written on line 20 and read on line 20 by a later iteration
        s += s > 10 ? a[i] : 1;
        b[i] = s;
    }
}

void scatter(int n, const int *p, double y[n]) {
    for (int i = 0; i < n; i++)  // decline: `y`, which is written on line 27 and written again on line 27 by a later iteration
        y[p[i]] = i;
}

double horner(int n, const double *c, double x) {
    double y = 0;
    for (int i = 0; i < n; i++)  // decline: `y`, which is written on line 33 and read on line 33 by a later iteration
        y = y * x + c[i];
    return y;
}

double promised(int n, const double *x) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)  // decline: this loop of `omp parallel for` is kept on the host: line 41: the directive promises
    for (int i = 0; i < n; i++)
        s = 2 * s + x[i];  // decline: the directive promises that `s` is only accumulated by `+`
    return s;
}

void compact(int n, const double *x, double *y) {
    int k = 0, l = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            y[k++] = x[l++];  // decline: an assignment inside an expression
}
