double energy(int n, int max, const int *nn, const int *nbr, const double *x, double *g, double *w) {
    double e = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < nn[i]; k++) {
            double d = x[i] - x[nbr[i * max + k]];
            e += d * d;
            w[0] -= d;
            s += d;
        }
        g[i] = s;
    }
    return e;
}

float least(int n, const int *nn, const float *x, float *g) {
    float m = 1, p = 1;
    for (int i = 0; i < n; i++) {
        int k = nn[i];
        while (k > 0 && x[k] > 0) {
            if (x[k] < m)
                m = x[k];
            p *= x[k];
            k--;
        }
        g[i] = k;
    }
    return m * p;
}

/* The loop is an accumulation as it is. */
double alone(int n, const int *nn, const double *x) {
    double e = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < nn[i]; k++)
            e += x[k];
    return e;
}

/* An iteration reads what all before it added. */
double running(int n, const int *nn, const double *x, double *g) {
    double e = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < nn[i]; k++) {
            e += x[k];
            s += x[k];
        }
        g[i] = s + e;
    }
    return e;
}
