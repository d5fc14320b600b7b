/* As many bytes for each thread as this array has no device holds: it stands there once, and the loop around it is in order. */
void large(int n, const double *u, double *v) {
    for (int t = 0; t < n; t++) {
        double a[100000];
        for (int i = 1; i < 99999; i++)
            a[i] = u[i - 1] + t * u[i + 1];
        double s = 0;
        for (int i = 1; i < 99999; i++)
            s += a[i] * a[99999 - i];
        v[t] = s;
    }
}

void small(int n, const double *u, double *v) {
    for (int t = 0; t < n; t++) {
        double a[100];
        for (int i = 1; i < 99; i++)
            a[i] = u[i - 1] + t * u[i + 1];
        double s = 0;
        for (int i = 1; i < 99; i++)
            s += a[i] * a[99 - i];
        v[t] = s;
    }
}
