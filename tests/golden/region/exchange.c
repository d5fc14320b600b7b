/* Pointers that a loop exchanges: its body once for each turn. */
void two(int n, int steps, double *u, double *un) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            un[i] = u[i - 1];
        double *tmp = u;
        u = un;
        un = tmp;
    }
}

void three(int n, double *a, double *b, double *c) {
    double *tmp;
    for (int t = 9; t >= 2; t--) {
        for (int i = 0; i < n; i++)
            c[i] = a[i] - b[i];
        tmp = a, a = b;
        b = c;
        c = tmp;
    }
}

void until(int n, double limit, double *u, double *v) {
    double sum = 0.0;
    do {
        sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += 0.5 * u[i], v[i] = u[i] - 1.0;
        double *tmp = u;
        u = v;
        v = tmp;
    } while (sum > limit);
}

/* No permutation: `b` is lost. */
void lost(int n, int steps, double *a, double *b, double *c) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] = b[i] + c[i];
        b = a;
    }
}
