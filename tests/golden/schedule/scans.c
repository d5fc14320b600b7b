/* Scans: by a scalar, kept elements, by the element before; two in one loop; what is none. */
double running(int n, const double *a, double *b) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
        b[i] = s;
    }
    return s;
}

int kept(int n, const double *x, double y[n]) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            y[k++] = x[i];
    return k;
}

void split(int n, const double *x, double y[n], double z[n]) {
    int k = 0, l = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            y[k++] = x[i];
        else
            z[l++] = x[i];
}

void steps(int times, int n, double a[n]) {
    for (int t = 0; t < times; t++) {
        for (int i = 1; i < n; i++)
            a[i] += a[i - 1];
        for (int i = 0; i < n; i++)
            a[i] *= 0.5;
    }
}

/* Rows beside each other have a thread each. */
void rows(int n, int m, double a[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i][j] += a[i][j - 1];
}

/* The last of several that are written to one place stays. */
int last_of_each(int n, const double *x, double y[n + 1]) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        y[k] = x[i];
        if (x[i] > 0)
            k++;
    }
    return k;
}

/* What is added depends on the sum. */
double saturating(int n, const double *a, double *b) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += s < 10 ? a[i] : 0;
        b[i] = s;
    }
    return s;
}
