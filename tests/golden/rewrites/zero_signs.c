double fabs(double);

// 0 and -0 compare equal: which of them a maximum is follows from the place of the first one, or of the last.
double first(int n, const double *a, double m) {
    for (int i = 0; i < n; i++)
        if (a[i] > m) m = a[i];
    return m;
}

float last(int n, int k, float a[n][k], float m) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = 1; j <= k - 1; j++) m = m < a[i][j] ? m : a[i][j];
    return m;
}

// Two in an iteration, one of them under a condition; rows of any length.
void rows(int n, const int *start, const double *a, const double *b, double *out, double most) {
    for (int i = 0; i < n; i++) {
        double m = -1;
        for (int k = start[i]; k < start[i + 1]; k++) {
            m = a[k] >= m ? a[k] : m;
            if (k % 2) {
                if (b[k] >= m) m = b[k];
            }
        }
        out[i] = m;
    }
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            if (a[k] > most) most = a[k];
    *out = most;
}

// One zero alone is known of others, if need be by the variable that they stand in.
double distance(int n, const double *a, const double *b, double *c) {
    double m = 0;
    for (int i = 0; i < n; i++)
        if (fabs(a[i]) > m) m = fabs(a[i]);
    for (int i = 0; i < n; i++) {
        double d = a[i] > b[i] ? a[i] - b[i] + 1.0 : b[i] * b[i];
        c[i] = d;
        m = m > d ? m : d;
    }
    return m;
}
