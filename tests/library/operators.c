// Operators in disguise. Before each function stands what it is. All are called with n, m, p, alpha, beta and three
// arrays that hold n * m * p elements each.

// gemm
void as_in_books(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
}

// gemm
void order_ikj(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < p; k++)
            for (int j = 0; j < m; j++)
                c[i][j] += a[i][k] * b[k][j];
}

// gemm
void order_jik(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
}

// gemm
void order_jki(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int j = 0; j < m; j++)
        for (int k = 0; k < p; k++)
            for (int i = 0; i < n; i++)
                c[i][j] += a[i][k] * b[k][j];
}

// gemm
void order_kij(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int k = 0; k < p; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                c[i][j] += a[i][k] * b[k][j];
}

// gemm
void order_kji(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int k = 0; k < p; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
                c[i][j] += a[i][k] * b[k][j];
}

// gemm
void zero_first(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0.0;
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

// gemm
void zero_in_a_nest_of_its_own(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                               double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = 0.0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < p; k++)
            for (int j = 0; j < m; j++)
                c[i][j] += a[i][k] * b[k][j];
}

// gemm
void written_out(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] = c[i][j] + a[i][k] * b[k][j];
}

// gemm
void written_the_other_way(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                           double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] = b[k][j] * a[i][k] + c[i][j];
}

// gemm
void subtracted(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] -= a[i][k] * b[k][j];
}

// gemm
void subtracted_twice(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                      double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] -= -a[i][k] * b[k][j];
}

// gemm
void scaled(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += alpha * a[i][k] * b[k][j];
}

// gemm
void scaled_in_the_middle(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                          double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * alpha * (b[k][j] * 2);
}

// gemm
void blas_with_beta(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            c[i][j] *= beta;
        for (int k = 0; k < p; k++)
            for (int j = 0; j < m; j++)
                c[i][j] += alpha * a[i][k] * b[k][j];
    }
}

// gemm
void beta_written_out(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                      double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = beta * c[i][j];
            for (int k = 0; k < p; k++)
                c[i][j] += alpha * a[i][k] * b[k][j];
        }
}

// gemm
void sum_in_a_variable(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                       double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < p; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

// gemm
void variable_outside(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                      double c[n][m]) {
    double sum;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            sum = 0.0;
            for (int k = 0; k < p; k++)
                sum = sum + a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

// gemm
void variable_added(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < p; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] += sum;
        }
}

// gemm
void variable_taken_away(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                         double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < p; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] -= alpha * sum;
        }
}

// gemm
void variable_scaled(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                     double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < p; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = alpha * sum + beta * c[i][j];
        }
}

// gemm
void variable_counts_down(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                          double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < p; k++)
                sum -= a[i][k] * b[k][j];
            c[i][j] = c[i][j] - sum;
        }
}

// gemm
void by_hand(int n, int m, int p, double alpha, double beta, double *a, double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i * m + j] += a[i * p + k] * b[k * m + j];
}

// gemm
void by_hand_and_by_columns(int n, int m, int p, double alpha, double beta, double *a, double *b, double *c) {
    for (int j = 0; j < m; j++)
        for (int k = 0; k < p; k++)
            for (int i = 0; i < n; i++)
                c[j * n + i] += a[k * n + i] * b[j * p + k];
}

#define AT(x, i, j, ld) x[(i) * (ld) + (j)]

// gemm
void by_macro(int n, int m, int p, double alpha, double beta, double *a, double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            AT(c, i, j, m) = 0;
            for (int k = 0; k < p; k++)
                AT(c, i, j, m) += AT(a, i, k, p) * AT(b, k, j, m);
        }
}

// gemm
void first_transposed(int n, int m, int p, double alpha, double beta, double a[p][n], double b[p][m],
                      double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[k][i] * b[k][j];
}

// gemm
void second_transposed(int n, int m, int p, double alpha, double beta, double a[n][p], double b[m][p],
                       double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[j][k];
}

// gemm
void both_transposed(int n, int m, int p, double alpha, double beta, double a[p][n], double b[m][p], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[k][i] * b[j][k];
}

// gemm
void result_transposed(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                       double c[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[j][i] += a[i][k] * b[k][j];
}

// gemm
void the_same_matrix_twice(int n, int m, int p, double alpha, double beta, double a[n][n], double *b,
                           double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * a[k][j];
}

// gemm
void with_its_transpose(int n, int m, int p, double alpha, double beta, double a[n][p], double *b, double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * a[j][k];
}

// gemm
void from_one(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            for (int k = 1; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
}

// gemm
void inclusive(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i <= n - 1; i++)
        for (int j = 0; j <= m - 2; ++j)
            for (int k = 1; k <= p - 1; k += 1)
                c[i][j] += a[i][k] * b[k][j];
}

// gemm
void shifted(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 2; j < m; j++)
            for (int k = 0; k < p - 1; k++)
                c[i + 1][j - 2] += a[i][k + 1] * b[k][j];
}

// gemm
void part_with_a_leading_dimension(int n, int m, int p, double alpha, double beta, double *a, double *b, double *c) {
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < n / 2; j++)
            for (int k = 0; k < n / 2; k++)
                c[(i + n / 2) * n + j] -= a[(i + n / 2) * n + k] * b[k * n + j + n / 2];
}

// gemm
void a_slice(int n, int m, int p, double alpha, double beta, double a[2][n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[1][i][k] * b[k][j];
}

// gemm
void in_float(int n, int m, int p, double alpha, double beta, float a[n][p], float b[p][m], float c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += 2.0f * a[i][k] * b[k][j];
}

// gemm
void with_an_integer(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += n * a[i][k] * b[k][j];
}

// gemm
void with_wide_counters(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                        double c[n][m]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            for (long k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
}

// gemm
void while_loops(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int k = 0;
            double s = 0;
            while (k < p) {
                s += a[i][k] * b[k][j];
                k++;
            }
            c[i][j] = s;
        }
}

static double times(double x, double y) { return x * y; }

// gemm
void sum_by_rows(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            c[i][j] = 0;
        for (int k = 0; k < p; k++) {
            double f = a[i][k];
            for (int j = 0; j < m; j++)
                c[i][j] += f * b[k][j];
        }
    }
}

// batched
void many(int n, int m, int p, double alpha, double beta, double a[p][n][n], double b[p][n][n], double c[p][n][n]) {
    for (int l = 0; l < p; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++)
                    c[l][i][j] += a[l][i][k] * b[l][k][j];
}

// batched
void many_and_zero(int n, int m, int p, double alpha, double beta, double a[p][n][n], double b[p][n][n],
                   double c[p][n][n]) {
    for (int l = 0; l < p; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                c[l][i][j] = 0;
                for (int k = 0; k < n; k++)
                    c[l][i][j] += a[l][i][k] * b[l][j][k];
            }
}

// gemm
void rows_of_two_loops(int n, int m, int p, double alpha, double beta, double a[n][m][p], double b[p][p],
                       double c[n][m][p]) {
    for (int i = 0; i < n; i++)
        for (int l = 0; l < m; l++)
            for (int j = 0; j < p; j++) {
                c[i][l][j] = 0;
                for (int k = 0; k < p; k++)
                    c[i][l][j] += a[i][l][k] * b[k][j];
            }
}

// gemv
void vector(int n, int m, int p, double alpha, double beta, double a[n][m], double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] += a[i][j] * x[j];
}

// gemv
void vector_zero(int n, int m, int p, double alpha, double beta, double a[n][m], double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < m; j++)
            y[i] = y[i] + x[j] * a[i][j];
    }
}

// gemv
void vector_by_columns(int n, int m, int p, double alpha, double beta, double a[n][m], double *x, double *y) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            y[i] += a[i][j] * x[j];
}

// gemv
void vector_transposed(int n, int m, int p, double alpha, double beta, double a[n][m], double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[j] += a[i][j] * x[i];
}

// gemv
void vector_blas(int n, int m, int p, double alpha, double beta, double *a, double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            s += a[i * m + j] * x[j];
        y[i] = alpha * s + beta * y[i];
    }
}

// gemv
void vector_strided(int n, int m, int p, double alpha, double beta, double a[n][m], double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[2 * i] -= a[i][j] * x[3 * j];
}

// gemv
void vector_is_a_column(int n, int m, int p, double alpha, double beta, double a[n][m], double b[m][p],
                        double c[n][p]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][1] += a[i][j] * b[j][2];
}

// gemm
void one_first(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 1;
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

// gemm
void divided_after(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
            c[i][j] /= beta;
        }
}
