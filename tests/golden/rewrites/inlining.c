static double squared(double x) { return x * x; }

static void row(int m, double *a, int by) {
    int k, last = (k = by) + m;
    for (int j = 0; j < m; j++)
        a[j] = squared(a[j]) + k + last;
}

void all(int n, int m, double *a) {
    for (int i = 0; i < n; i++)
        row(m, a + i * m, i);
}

/* What it points to is of another type. */
void typed(int n, double *a) {
    for (int i = 0; i < n; i++) {
        void *any = a;
        int *p = any;
        p[i] = i;
    }
}

/* What a helper chooses stays a call, but where it accumulates. */
static double larger(double a, double b) {
    if (a > b) return a;
    return b;
}

double largest(int n, double *a) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        a[i] = larger(a[i], 0.0);
        most = larger(most, a[i] * 2);
    }
    return most;
}
