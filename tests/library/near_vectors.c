// Nearly operators on vectors and sums of matrices. Before each function stands a part of what is said of it, or nothing
// where it is not that near. Called as those of operators.c.

// near: has a factor
void axpby(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++)
        y[i] = alpha * x[i] + beta * y[i];
}

// near: has a factor
void scaled_copy(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++)
        y[i] = alpha * x[i];
}

// near: is read as well as written
void shifted_far(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++)
        x[i] += alpha * x[i + 2 * n];
}

// nothing
void with_a_quotient(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++)
        x[i] /= alpha;
}

// nothing
void three_vectors(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++)
        z[i] = x[i] + y[i] * z[i];
}

// nothing
void indirect(int n, int m, int p, double alpha, double beta, double *x, double *y, int *z) {
    for (int i = 0; i < n; i++)
        y[i] += x[z[i]];
}

// nothing
void plus_one(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++)
        y[i] = x[i] + 1;
}

// near: both are elements of one array
void reversed(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++) {
        double t = x[i];
        x[i] = x[i + n];
        x[i + n] = t;
    }
}

// nothing
void rotated(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++) {
        double t = x[i];
        x[i] = y[i];
        y[i] = z[i];
        z[i] = t;
    }
}

// near: of different types, or not floating-point
void dot_of_integers(int n, int m, int p, double alpha, double beta, int *x, int *y, int *z) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    z[0] = s;
}

// near: in another type
void dot_in_double(int n, int m, int p, double alpha, double beta, float *x, float *y, double *z) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    z[0] = s;
}

// nothing
void sum_of_values(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    z[0] = s;
}

// nothing
void absolute_products(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += __builtin_fabs(x[i] * y[i]);
    z[0] = s;
}

// near: do not lie in one line
void dot_of_a_part(int n, int m, int p, double alpha, double beta, double x[n][m], double y[n][m], double *z) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            s += x[i][j] * y[i][j];
    z[0] = s;
}

// near: not one along the rows and one along the columns
void rows_scaled(int n, int m, int p, double alpha, double beta, double *x, double b[n][m], double a[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += x[i] * b[i][j];
}

// near: both are elements of one array
void transposed_in_place(int n, int m, int p, double alpha, double beta, double a[n][n], double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double t = a[i][j];
            a[i][j] = a[j][i];
            a[j][i] = t;
        }
}

// near: it is no sum of two matrices
void sum_of_three(int n, int m, int p, double alpha, double beta, double a[n][m], double b[m][n], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = c[i][j] + a[i][j] + b[j][i];
}

// near: neither rows nor columns
void every_second(int n, int m, int p, double alpha, double beta, double a[n][4 * m], double b[m][n], double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][2 * j];
}

// near: is the same for all rows
void row_added(int n, int m, int p, double alpha, double beta, double *x, double b[n][m], double *z) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] -= x[j];
}
