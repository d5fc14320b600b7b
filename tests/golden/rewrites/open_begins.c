int relax(int n, int most, double eps, double *x, double *y) {
    int it;
    for (it = 1; it <= most; it++) {
        double change = 0;
        for (int i = 1; i < n - 1; i++) {
            y[i] = 0.5 * (x[i - 1] + x[i + 1]);
            change += (y[i] - x[i]) * (y[i] - x[i]);
        }
        for (int i = 1; i < n - 1; i++) x[i] = y[i];
        if (change < eps) break;
    }
    return it;
}

/* How long it is is known before it runs. */
void counted(int n, double *x) {
    for (int it = 0; it < 100; it++)
        for (int i = 0; i < n; i++) x[i] *= 0.5;
}

/* A search has no loop in it. */
int first_below(int n, const double *x) {
    int at;
    for (at = 0; at < n; at++) {
        if (x[at] < 0) break;
    }
    return at;
}
