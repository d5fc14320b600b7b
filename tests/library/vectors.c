// Operators on vectors and sums of matrices in disguise. Called as those of operators.c.

// axpy
void add_a_vector(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}

// axpy
void take_away_a_column(int n, int m, int p, double alpha, double beta, double x[n][m], double *y, double *z) {
    for (int i = 0; i < n; i++) {
        double t = x[i][2];
        y[i] = y[i] - t;
    }
}

// axpy
void add_a_matrix(int n, int m, int p, double alpha, double beta, double x[n][m], double y[n][m], double *z) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            y[i][j] = alpha * x[i][j] + y[i][j];
}

// axpy
void add_in_float(int n, int m, int p, double alpha, double beta, float *x, float *y, float *z) {
    for (int i = 1; i < n; i++)
        y[2 * i] += 3.0f * x[i - 1];
}

// scal
void with_a_factor(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++)
        x[i] *= alpha;
}

// scal
void a_row_turned(int n, int m, int p, double alpha, double beta, double x[n][m], double *y, double *z) {
    for (int j = 0; j < m; j++)
        x[3][j] = -x[3][j];
}

// copy
void copied_vector(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++)
        y[i] = x[i];
}

// copy
void copied_column(int n, int m, int p, double alpha, double beta, double x[n][m], float *y, double z[m][n]) {
    for (int i = 0; i < n; i++)
        z[1][i] = x[i][1];
}

// swap
void exchanged(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++) {
        double t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

// swap
void exchanged_rows_and_columns(int n, int m, int p, double alpha, double beta, float x[n][m], float y[m][n], float *z) {
    float t;
    for (int i = 0; i < n; i++) {
        t = y[2][i];
        y[2][i] = x[i][1];
        x[i][1] = t;
    }
}

// dot
void dot(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    z[0] = s;
}

// dot
void squares_of_a_matrix(int n, int m, int p, double alpha, double beta, double x[n][m], double *y, double *z) {
    double s = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s -= x[i][j] * x[i][j] * beta;
    z[0] = s;
}

// asum
void absolute_values(int n, int m, int p, double alpha, double beta, double *x, double *y, double *z) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += __builtin_fabs(x[i]);
    z[0] = s;
}

// ger
void outer_product(int n, int m, int p, double alpha, double beta, double *x, double *y, double a[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += alpha * x[i] * y[j];
}

// ger
void outer_products(int n, int m, int p, double alpha, double beta, double x[2][m], double y[2][n], double a[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            a[i][j] = a[i][j] + y[0][i] * x[0][j] + y[1][i] * x[1][j];
}

// ger
void outer_product_by_hand(int n, int m, int p, double alpha, double beta, float *x, float *y, float *a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[j * n + i] -= y[j] * x[i];
}

// geam
void transposed(int n, int m, int p, double alpha, double beta, double a[n][m], double b[m][n], double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][j];
}

// geam
void sum_of_two(int n, int m, int p, double alpha, double beta, double a[n][m], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 1; j < m; j++)
            c[i][j] = alpha * a[i][j] - beta * b[i + 1][j - 1];
}

// geam
void sum_with_a_transpose(int n, int m, int p, double alpha, double beta, double a[n][m], double b[m][n],
                          double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = a[i][j] + b[j][i];
}

// geam
void added_transposed(int n, int m, int p, double alpha, double beta, double a[n][m], double b[m][n], double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = beta * b[j][i] + 2 * a[i][j];
}
