// Operators with a triangle in disguise. Called as those of operators.c; a matrix of the larger arrays is square.

// syrk
void rank_k(int n, int m, int p, double alpha, double beta, double a[n][p], double *b, double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * a[j][k];
}

// syrk
void rank_k_blas(int n, int m, int p, double alpha, double beta, double a[n][p], double *b, double c[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            c[i][j] *= beta;
        for (int k = 0; k < p; k++)
            for (int j = 0; j <= i; j++)
                c[i][j] += alpha * a[i][k] * a[j][k];
    }
}

// syrk
void rank_k_upper(int n, int m, int p, double alpha, double beta, double a[n][p], double *b, double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < p; k++)
                c[i][j] += a[j][k] * a[i][k];
        }
}

// syrk
void rank_k_transposed(int n, int m, int p, double alpha, double beta, double a[p][n], double *b, double c[n][n]) {
    for (int k = 0; k < p; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i + 1; j++)
                c[i][j] -= a[k][i] * a[k][j];
}

// syrk
void rank_k_in_a_variable(int n, int m, int p, double alpha, double beta, double a[n][p], double *b, double c[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double s = 0;
            for (int k = 0; k < p; k++)
                s += a[i][k] * a[j][k];
            c[i][j] = alpha * s + beta * c[i][j];
        }
}

// syrk
void rank_k_by_hand(int n, int m, int p, double alpha, double beta, float *a, float *b, float *c) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = 0; k < p; k++)
                c[j * n + i] += 2.0f * a[i * p + k] * a[j * p + k];
}

// syrk
void scaled_without_the_diagonal(int n, int m, int p, double alpha, double beta, double a[n][p], double *b,
                                 double c[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            c[i][j] *= beta;
        for (int k = 0; k < p; k++)
            for (int j = 0; j <= i; j++)
                c[i][j] += a[i][k] * a[j][k];
    }
}

// syr2k
void rank_2k(int n, int m, int p, double alpha, double beta, double a[n][p], double b[n][p], double c[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            c[i][j] *= beta;
        for (int k = 0; k < p; k++)
            for (int j = 0; j <= i; j++)
                c[i][j] += a[j][k] * alpha * b[i][k] + b[j][k] * alpha * a[i][k];
    }
}

// syr2k
void rank_2k_in_two(int n, int m, int p, double alpha, double beta, double a[p][n], double b[p][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = 0; k < p; k++) {
                c[i][j] += a[k][i] * b[k][j];
                c[i][j] += a[k][j] * b[k][i];
            }
}

// syr2k
void rank_2k_in_a_variable(int n, int m, int p, double alpha, double beta, double a[n][p], double b[n][p],
                           double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = 0;
            for (int k = 0; k < p; k++)
                s += a[i][k] * b[j][k] + b[i][k] * a[j][k];
            c[i][j] = alpha * s;
        }
}

// symm
void symmetric(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double t = 0;
            for (int k = 0; k < i; k++) {
                c[k][j] += alpha * b[i][j] * a[i][k];
                t += b[k][j] * a[i][k];
            }
            c[i][j] = beta * c[i][j] + alpha * b[i][j] * a[i][i] + alpha * t;
        }
}

// symm
void symmetric_upper(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < i; k++)
                c[i][j] += a[k][i] * b[k][j];
            for (int k = i; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

// symm
void symmetric_sum(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k <= i; k++)
                s += a[i][k] * b[k][j];
            for (int k = i + 1; k < n; k++)
                s += a[k][i] * b[k][j];
            c[i][j] = s;
        }
}

// symm
void symmetric_from_the_right(int n, int m, int p, double alpha, double beta, double a[n][n], double b[m][n],
                              double c[m][n]) {
    for (int r = 0; r < m; r++)
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int k = 0; k <= i; k++)
                s += b[r][k] * a[i][k];
            for (int k = i + 1; k < n; k++)
                s += b[r][k] * a[k][i];
            c[r][i] = alpha * s + beta * c[r][i];
        }
}

// trmm
void triangular_product(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = i + 1; k < n; k++)
                b[i][j] += a[k][i] * b[k][j];
            b[i][j] = alpha * b[i][j];
        }
}

// trmm
void triangular_upper(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = i; k < n; k++)
                s += a[i][k] * b[k][j];
            b[i][j] = s;
        }
}

// trmm
void triangular_lower(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < m; j++) {
            b[i][j] *= a[i][i];
            for (int k = 0; k < i; k++)
                b[i][j] += a[i][k] * b[k][j];
        }
}

// trmm
void triangular_from_the_right(int n, int m, int p, double alpha, double beta, double a[n][n], double b[m][n],
                               double *c) {
    for (int r = 0; r < m; r++)
        for (int i = 0; i < n; i++)
            for (int k = i + 1; k < n; k++)
                b[r][i] += a[k][i] * b[r][k];
}

// trsm
void solved(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < i; k++)
                b[i][j] -= a[i][k] * b[k][j];
            b[i][j] /= a[i][i];
        }
}

// trsm
void solved_right_looking(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < m; j++)
            b[k][j] = b[k][j] / a[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i][j] -= a[i][k] * b[k][j];
    }
}

// trsm
void solved_backwards(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int j = 0; j < m; j++)
        for (int i = n - 1; i >= 0; i--) {
            double s = b[i][j];
            for (int k = i + 1; k < n; k++)
                s -= a[i][k] * b[k][j];
            b[i][j] = s / a[i][i];
        }
}

// trsm
void solved_with_ones(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++)
            for (int j = 0; j < m; j++)
                b[i][j] -= a[i][k] * b[k][j];
}

// trsm
void solved_transposed(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double *c) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < m; j++) {
            b[i][j] *= alpha;
            for (int k = i + 1; k < n; k++)
                b[i][j] -= a[k][i] * b[k][j];
            b[i][j] /= a[i][i];
        }
}

// trsm
void solved_from_the_right(int n, int m, int p, double alpha, double beta, double a[n][n], double b[m][n], double *c) {
    for (int r = 0; r < m; r++)
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int k = 0; k < i; k++)
                s += a[i][k] * b[r][k];
            b[r][i] = (b[r][i] - s) / a[i][i];
        }
}

// trsv
void vector_solved(int n, int m, int p, double alpha, double beta, double a[n][n], double *b, double *c) {
    for (int i = 0; i < n; i++) {
        c[i] = b[i];
        for (int j = 0; j < i; j++)
            c[i] -= a[i][j] * c[j];
        c[i] = c[i] / a[i][i];
    }
}

// trsv
void vector_solved_backwards(int n, int m, int p, double alpha, double beta, double a[n][n], double *b, double *c) {
    for (int i = n - 1; i >= 0; i--) {
        double s = b[i];
        for (int j = i + 1; j < n; j++)
            s -= a[i][j] * c[j];
        c[i] = s / a[i][i];
    }
}

// trsv
void vector_solved_by_columns(int n, int m, int p, double alpha, double beta, float *a, float *b, float *c) {
    for (int j = 0; j < n; j++) {
        c[j] /= a[j * n + j];
        for (int i = j + 1; i < n; i++)
            c[i] -= a[i * n + j] * c[j];
    }
}

// trsv
void vector_solved_beside_others(int n, int m, int p, double alpha, double beta, double a[n][n], double *b, double *c) {
    for (int i = 0; i < n; i++)
        b[i] = alpha * i;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            c[i] -= a[i][j] * c[j];
        c[i] /= a[i][i];
    }
    for (int i = 0; i < n; i++)
        b[i] += c[i] * c[i];
}

// syrk
void divided(int n, int m, int p, double alpha, double beta, double a[n][p], double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * a[j][k];
            c[i][j] /= b[i][j];
        }
}
