// The result of a function with regions goes into memory: what is left on the device is asked for between the call and the
// assignment, where the assignment is all that the statement does.
double sqrt(double);
struct sums { double energy; double norm[4]; };

static double dot(int n, const double *a, const double *b) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

static void scale(int n, double *a, double by) {
    for (int i = 0; i < n; i++) a[i] *= by;
}

void through_a_pointer(int n, double *a, double *b, double *result) {
    for (int t = 0; t < 10; t++) {
        scale(n, a, 0.5);
        *result = dot(n, a, b);
    }
}

void in_a_structure(int n, double *a, double *b, struct sums *s, int k) {
    for (int t = 0; t < 10; t++) {
        scale(n, a, s->norm[k]);
        s->energy = dot(n, a, b);
        s->norm[k] = dot(k, a, a);
    }
}

void computed(int n, double *a, double *b, double *result) {
    for (int t = 0; t < 10; t++) {
        scale(n, a, 0.5);
        result[t] = sqrt(dot(n, a, b)) / n;
    }
}

static double mixed(int n, const double *a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}

void with_more(int n, double *a, double *b, double *result) {
    for (int t = 0; t < 10; t++) {
        scale(n, a, 0.5);
        result[t] += mixed(n, a);
        result[t] = mixed(n, a) / b[t];
    }
}
