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
