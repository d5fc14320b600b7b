// Nearly operators with a triangle. Before each function stands a part of what is said of it, or nothing where it is not
// that near. Called as those of operators.c.

// near: the diagonal is left out
void without_the_diagonal(int n, int m, int p, double alpha, double beta, double a[n][p], double *b, double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * a[j][k];
}

// near: depend on another loop
void beyond_the_diagonal(int n, int m, int p, double alpha, double beta, double a[n][p], double *b, double c[n][n]) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j <= i + 1; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * a[j][k];
}

// near: not the same rows of one matrix
void rows_beside(int n, int m, int p, double alpha, double beta, double *a, double *b, double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i * p + k] * a[(j + 1) * p + k];
}

// near: a triangle of the products of two matrices
void of_two_matrices(int n, int m, int p, double alpha, double beta, double a[n][p], double b[n][p], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[j][k];
}

// near: different factors
void of_two_factors(int n, int m, int p, double alpha, double beta, double a[n][p], double b[n][p], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += alpha * a[i][k] * b[j][k] + beta * b[i][k] * a[j][k];
}

// near: not each other's mirror images
void two_whole_halves(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < i; k++)
                c[i][j] += a[i][k] * b[k][j];
            for (int k = i; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

// near: the diagonal is used 2 times
void diagonal_twice(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k <= i; k++)
                c[i][j] += a[i][k] * b[k][j];
            for (int k = i; k < n; k++)
                c[i][j] += a[k][i] * b[k][j];
        }
}

// near: the diagonal is used 0 times
void diagonal_of_zeros(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < i; k++)
                c[i][j] += a[i][k] * b[k][j];
            for (int k = i + 1; k < n; k++)
                c[i][j] += a[k][i] * b[k][j];
        }
}

// near: only one half of the matrix
void triangle_out_of_place(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m],
                           double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k <= i; k++)
                c[i][j] += a[i][k] * b[k][j];
}

// near: has a factor
void product_in_the_wrong_order(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m],
                                double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < i; k++)
                b[i][j] += a[i][k] * b[k][j];
}

// near: not always read before it is
void product_of_what_is_scaled(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m],
                               double *c) {
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++)
            b[i][j] *= a[i][i];
        for (int i = 0; i < n; i++)
            for (int k = i + 1; k < n; k++)
                b[i][j] += a[k][i] * b[k][j];
    }
}

// near: another factor than the sum
void diagonal_unscaled(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = i + 1; k < n; k++)
                b[i][j] += alpha * a[i][k] * b[k][j];
}

// near: not always read after it was
void solved_in_the_wrong_order(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m],
                               double *c) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < i; k++)
                b[i][j] -= a[i][k] * b[k][j];
            b[i][j] /= a[i][i];
        }
}

// near: has a factor
void solved_for_more(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < i; k++)
                b[i][j] -= alpha * a[i][k] * b[k][j];
            b[i][j] /= a[i][i];
        }
}

// near: is not taken on its diagonal
void divided_by_a_column(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < i; k++)
                b[i][j] -= a[i][k] * b[k][j];
            b[i][j] /= a[i][0];
        }
}

// near: has a factor
void added_up(int n, int m, int p, double alpha, double beta, double a[n][n], double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            c[i] += 0.1 * a[i][j] * c[j];
}

// nothing
void solved_in_two_types(int n, int m, int p, double alpha, double beta, double a[n][n], float *b, double *c) {
    for (int i = 0; i < n; i++) {
        c[i] = b[i];
        for (int j = 0; j < i; j++)
            c[i] -= a[i][j] * c[j];
        c[i] /= a[i][i];
    }
}

// nothing
void decomposed(int n, int m, int p, double alpha, double beta, double a[n][n], double *b, double *c) {
    for (int i = 0; i < n; i++)
        a[i][i] = 40 + i;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
}
