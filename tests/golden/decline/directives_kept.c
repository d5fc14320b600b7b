/* Loops of directives that are kept on the host: each has a line at its directive, which names the line that forbids it. */
double outside(const double *a, int i);

static double first_above(int n, const double *a, double limit) {
    for (int i = 0; i < n; i++)
        if (a[i] > limit)
            return a[i];  // decline: `return` leaves the region
    return limit;
}

void calls(int n, double *a, double *out) {
#pragma omp parallel for schedule(static)  // decline: this loop of `omp parallel for` is kept on the host: line 17: `outside` cannot be called
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < 8; j++)
            sum += a[8 * i + j];
        out[i] = sum * outside(a, i);  // decline: `outside` cannot be called
    }
}

void leaves(int n, int m, double *a, double *out) {
#pragma acc parallel loop  // decline: this loop of `acc parallel loop` is kept on the host: line 27: `goto`
    for (int i = 0; i < n; i++) {
        double *row = out + i * m;
        for (int j = 0; j < m; j++) {
            if (a[i] < 0.0)
                goto done;  // decline: `goto`
            row[j] = a[i] * j;
        }
    }
done:
    return;
}

void searches(int n, int m, double *a, double *out) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = first_above(m, a + i * m, out[i]);
}

void inner_goes(int n, int m, double *a, double *out) {
#pragma omp parallel for  // decline: this loop of `omp parallel for` is kept on the host: line 46: `outside` cannot be called
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            out[i * m + j] = 2.0 * a[i * m + j];
        out[i * m] += outside(a, i);
    }
}
